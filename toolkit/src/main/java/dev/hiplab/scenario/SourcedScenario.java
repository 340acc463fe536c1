package dev.hiplab.scenario;

/** A scenario that says where it comes from once, in its constructor. */
public abstract class SourcedScenario implements Scenario {
  private final String id;
  private final String source;
  private final String title;
  private final String claim;

  /**
   * Names the finding.
   *
   * @param id such as {@code rocblas.first-gemm}
   * @param source such as {@code mlxcel 2198}
   * @param title one line
   * @param claim what the source says happens, in a sentence
   */
  protected SourcedScenario(String id, String source, String title, String claim) {
    this.id = id;
    this.source = source;
    this.title = title;
    this.claim = claim;
  }

  @Override
  public final String id() {
    return id;
  }

  @Override
  public final String source() {
    return source;
  }

  @Override
  public final String title() {
    return title;
  }

  @Override
  public final String claim() {
    return claim;
  }

  /** Any device will do, unless a scenario says otherwise. */
  @Override
  public String needs() {
    return "";
  }
}
