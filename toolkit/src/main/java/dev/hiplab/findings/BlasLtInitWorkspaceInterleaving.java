package dev.hiplab.findings;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.GemmCase;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.ManyThreads;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Tally;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * mlxcel 2200, init window, worse interleaving: A sets "available" before it allocates the 32 MiB
 * workspace. B skips the lock, finds no workspace and allocates its own, unlocked, while A writes
 * the same fields. A's pointer, B's pointer, B's size, A's size leaves B's small buffer recorded as
 * 32 MiB, and later GEMMs write past its end; other orders leak one of the two.
 *
 * <p>Eight threads run 8 rounds of the bf16 GEMM of {@link BlasLtSharedWorkspace} and of a larger
 * one, [256, 64] x transpose([256, 64]), no GEMM before the barrier. The oracle is what each call
 * was given against the block that it points into, and how many buffers are left when the streams
 * are closed: the filed form keeps one of a device, the fixed one none.
 */
public final class BlasLtInitWorkspaceInterleaving extends SourcedScenario {
  static final GemmCase LARGER = new GemmCase(DType.BF16, Gemm.NT, 1, 256, 256, 64, 2);

  private static final int ROUNDS = 8;

  public BlasLtInitWorkspaceInterleaving() {
    super(
        "blaslt.init-workspace-interleaving",
        "mlxcel 2200",
        "the first GEMMs with workspace while the handle's own is being allocated",
        "The order pointer A, pointer B, size B, size A leaves a small buffer that is recorded as"
            + " 32 MiB, and other orders leak a buffer.");
  }

  @Override
  public String needs() {
    return Scratch.NEED;
  }

  @Override
  public List<Form> forms() {
    return List.of(
        Form.filed(
            Map.of("workspace", Form.FILED, "blaslt-handle", Form.FILED),
            Set.of(Outcome.MISUSE, Outcome.WRONG_RESULT, Outcome.LEAK, Outcome.CRASH)),
        Form.fixed());
  }

  @Override
  public List<Interleaving> interleavings() {
    return List.of(
        Interleaving.natural(),
        // "A ptr, B ptr, B size (:124), A size (:79)".
        Interleaving.forced(
                "order A:blaslt.init.available-set arrived -> B:work.begin",
                "order B:workspace.create.begin arrived -> A:blaslt.init.available-set",
                "order A:workspace.init.pointer-set arrived -> B:workspace.create.begin",
                "order B:workspace.grow.size-set -> A:workspace.init.pointer-set")
            .named("past-the-end"),
        // "Other orderings leak one buffer": A overwrites what B has stored and used.
        Interleaving.forced(
                "order A:blaslt.init.available-set arrived -> B:work.begin",
                "order B:work.end -> A:blaslt.init.available-set")
            .named("leak"));
  }

  @Override
  public Finding run(Trial trial) throws InterruptedException {
    ManyThreads threads =
        new ManyThreads(
            trial,
            BlasLtSharedWorkspace.THREADS,
            ROUNDS,
            List.of(BlasLtSharedWorkspace.BF16, LARGER));
    Tally tally = threads.run();
    Map<String, Long> seen = trial.backend().counters();
    // Asked afterwards: the question itself would create the handle.
    Scratch scratch = Scratch.of(trial, BlasLtSharedWorkspace.BF16);
    Optional<Finding> lacking = scratch.lacking();
    if (lacking.isPresent()) {
      return lacking.get();
    }
    Finding finding = Misuse.read(tally.finding(scratch.counters(seen), threads.workMillis()));
    long left = seen.getOrDefault("live.memory_blocks", 0L);
    boolean onePerDevice = trial.form().of("workspace").equals(Form.FILED);
    return finding.outcome().isRight() && left > (onePerDevice ? 1 : 0)
        ? finding.as(Outcome.LEAK, left + " workspace buffers are left, and one is known")
        : finding;
  }
}
