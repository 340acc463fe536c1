package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LifetimeTest {
  /** Counts its frees, and uses that meet freed memory. */
  private static final class Probe extends Lifetime {
    final AtomicInteger frees = new AtomicInteger();

    Probe(Owner owner) {
      super("Probe 1", owner);
    }

    @Override
    void release() {
      frees.incrementAndGet();
    }
  }

  @Test
  void noUseMeetsAFreedObjectUnderEightThreads() throws Exception {
    for (int round = 0; round < 200; round++) {
      Probe probe = new Probe(new Owner());
      AtomicInteger usesAfterFree = new AtomicInteger();
      AtomicInteger refused = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        Thread thread =
            new Thread(
                () -> {
                  while (probe.tryUse()) {
                    usesAfterFree.addAndGet(probe.frees.get());
                    probe.done();
                  }
                  refused.incrementAndGet();
                });
        threads.add(thread);
        thread.start();
      }
      probe.close();
      assertThat(probe.frees).hasValue(1);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(usesAfterFree).hasValue(0);
      assertThat(refused).hasValue(8);
    }
  }

  @Test
  void closeWaitsForTheUseInFlightAndOnlyOneFrees() throws Exception {
    Probe probe = new Probe(new Owner());
    probe.use();
    CountDownLatch closed = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      new Thread(
              () -> {
                probe.close();
                closed.countDown();
              })
          .start();
    }
    while (!probe.isClosed()) {
      Thread.onSpinWait();
    }
    assertThat(probe.frees).hasValue(0);
    assertThat(closed.getCount()).isEqualTo(2);
    assertThatThrownBy(probe::use).hasMessageContaining("Probe 1 is closed");
    probe.done();
    closed.await();
    assertThat(probe.frees).hasValue(1);
  }

  @Test
  void anInterruptDoesNotCutACloseShort() throws Exception {
    Probe probe = new Probe(new Owner());
    probe.use();
    AtomicInteger interrupted = new AtomicInteger();
    Thread closer =
        new Thread(
            () -> {
              probe.close();
              interrupted.set(Thread.currentThread().isInterrupted() ? 1 : 0);
            });
    closer.start();
    while (!probe.isClosed()) {
      Thread.onSpinWait();
    }
    closer.interrupt();
    assertThat(probe.frees).hasValue(0);
    probe.done();
    closer.join();
    assertThat(probe.frees).hasValue(1);
    assertThat(interrupted).hasValue(1);
  }

  @Test
  void aForgottenObjectIsFreedAndCounted() throws Exception {
    Owner owner = new Owner();
    Probe probe = new Probe(owner);
    probe.watch(new Object());
    assertThat(owner.livingCount()).isEqualTo(1);
    while (probe.frees.get() == 0) {
      System.gc();
      Thread.sleep(1);
    }
    assertThat(owner.forgottenCount()).isEqualTo(1);
    probe.awaitGone();
    assertThat(owner.livingCount()).isZero();
  }

  @Test
  void anObjectThatWasClosedIsNotForgotten() {
    Owner owner = new Owner();
    Probe probe = new Probe(owner);
    Object holder = new Object();
    var cleanable = probe.watch(holder);
    probe.close();
    cleanable.clean();
    assertThat(owner.forgottenCount()).isZero();
    assertThat(probe.frees).hasValue(1);
  }

  @Test
  void anEndThatIsRefusedLeavesItOpen() throws Exception {
    Owner owner = new Owner();
    Probe probe = new Probe(owner);
    owner.add(probe);
    CountDownLatch refusing = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(1);
    Thread second =
        new Thread(
            () -> {
              await(refusing);
              others.countDown();
              probe.close(); // waits for the end that is refused, then frees
            });
    second.start();
    assertThatThrownBy(
            () ->
                probe.closeBy(
                    () -> {
                      assertThat(probe.isClosed()).isTrue();
                      refusing.countDown();
                      await(others);
                      throw new HiplabException("not now");
                    }))
        .hasMessage("not now");
    second.join();
    assertThat(probe.frees).hasValue(1);
    assertThat(probe.closeBy(() -> probe.frees.addAndGet(10))).isFalse();
    assertThat(probe.frees).hasValue(1);
    assertThat(owner.livingCount()).isZero();

    Probe other = new Probe(owner);
    owner.add(other);
    assertThatThrownBy(() -> other.closeBy(() -> other.frees.addAndGet(1 / other.frees.get())))
        .isInstanceOf(ArithmeticException.class);
    assertThat(other.tryUse()).isTrue();
    other.done();
    assertThat(other.closeBy(() -> {})).isTrue();
    assertThat(other.frees).hasValue(0);
    assertThat(owner.livingCount()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
