package dev.hiplab.race;

/** A program that does nothing, to measure what a JVM costs by itself. */
public final class EmptyMain {
  private EmptyMain() {}

  public static void main(String[] args) {}
}
