package dev.hiplab;

import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The life of one native object: a use count around every native call, and an end that waits for
 * the count to reach zero. So closing in one thread while others use the object ends in "Matrix 12
 * is closed" there, never in a call on freed memory.
 *
 * <p>It is kept apart from the object that users hold, because a {@link Cleaner} may only run what
 * does not reach that object. Thread-safe.
 */
abstract class Lifetime implements Runnable {
  private static final int CLOSED = Integer.MIN_VALUE;

  private final String name;
  private final Owner owner;
  private final Throwable madeAt;
  private final AtomicInteger state = new AtomicInteger(); // uses, plus CLOSED once closing began
  private boolean gone;
  private final List<Lifetime> usedBehind = new ArrayList<>(); // guarded by this

  /**
   * @param name such as {@code Matrix 12}, for messages
   * @param owner what closes this object when it closes itself, or null
   */
  Lifetime(String name, Owner owner) {
    this.name = name;
    this.owner = owner;
    this.madeAt = Owner.TRACK_LEAKS ? new Throwable(name) : null;
  }

  /** Waits for the work queued so far, if this is what queues work. */
  void drain() {}

  /**
   * A use of this object will come from work that is queued on {@code queue}, too late to count: so
   * {@link #close} waits until that work has run.
   */
  final synchronized void usedBehind(Lifetime queue) {
    usedBehind.removeIf(Lifetime::isGone);
    if (queue != this && !usedBehind.contains(queue)) {
      usedBehind.add(queue);
    }
  }

  /** Frees the native object. Called once, when no call uses it any more. */
  abstract void release();

  /** Whether its owner ends it before those that do not. */
  boolean endsFirst() {
    return false;
  }

  /** Lets the cleaner end this life should {@code holder} become unreachable without a close. */
  final Cleaner.Cleanable watch(Object holder) {
    if (owner != null) {
      owner.add(this);
    }
    return Cleaning.CLEANER.register(holder, this);
  }

  final String name() {
    return name;
  }

  final Throwable madeAt() {
    return madeAt;
  }

  final boolean isClosed() {
    return state.get() < 0;
  }

  /** Begins a use unless the object is closed. Every true must be followed by {@link #done}. */
  final boolean tryUse() {
    while (true) {
      int now = state.get();
      if (now < 0) {
        return false;
      }
      if (state.compareAndSet(now, now + 1)) {
        return true;
      }
    }
  }

  /** Begins a use; throws when the object is closed. */
  final void use() {
    if (!tryUse()) {
      throw new HiplabException(name + " is closed; make a new one");
    }
  }

  final void done() {
    if (state.decrementAndGet() == CLOSED) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Waits for uses in flight, then frees. A second call waits for the first and does nothing. */
  final void close() {
    if (!beginClose()) {
      return;
    }
    try {
      drainQueues();
      release();
    } finally {
      ended();
    }
  }

  /**
   * Waits for uses in flight, then ends the life by another call than {@link #release}. If that
   * call throws, the native object is as it was, and this one is open again.
   *
   * @return false when it is closed already, and nothing was done
   */
  final boolean closeBy(Runnable end) {
    if (!beginClose()) {
      return false;
    }
    try {
      end.run();
    } catch (RuntimeException e) {
      synchronized (this) {
        state.set(0); // no use can have begun meanwhile
        notifyAll();
      }
      throw e;
    }
    ended();
    return true;
  }

  private void drainQueues() {
    List<Lifetime> queues;
    synchronized (this) {
      queues = List.copyOf(usedBehind);
    }
    for (Lifetime queue : queues) {
      if (!queue.tryUse()) {
        queue.awaitGone(); // its close waits for its work
        continue;
      }
      try {
        queue.drain();
      } catch (HiplabException e) {
        // The device is lost, or the queue captures: its callbacks have run, or never will.
      } finally {
        queue.done();
      }
    }
  }

  // True when it is this call's to end the life, and no use is left. False when another call did.
  private boolean beginClose() {
    while (true) {
      int now = state.get();
      if (now < 0) {
        awaitGone();
        if (isGone()) {
          return false;
        }
      } else if (state.compareAndSet(now, now | CLOSED)) {
        awaitUnused();
        return true;
      }
    }
  }

  private void ended() {
    if (owner != null) {
      owner.remove(this);
    }
    synchronized (this) {
      gone = true;
      notifyAll();
    }
  }

  /** Whether a close has ended. */
  final synchronized boolean isGone() {
    return gone;
  }

  /** Waits until a close that has begun has freed the object, or could not and left it open. */
  final synchronized void awaitGone() {
    boolean interrupted = false;
    while (!gone && isClosed()) {
      interrupted |= interruptedWait();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitUnused() {
    boolean interrupted = false;
    while (state.get() != CLOSED) {
      interrupted |= interruptedWait();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // An interrupt may not cut a close short: the object would be freed under a running call.
  private boolean interruptedWait() {
    try {
      wait();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** The cleaner's entry: nobody can reach the object any more, and nobody closed it. */
  @Override
  public final void run() {
    if (isClosed()) {
      return;
    }
    if (owner != null) {
      owner.forgot(this);
    }
    try {
      close();
    } catch (RuntimeException e) {
      // A cleaner has nobody to tell; the next call on the device meets the same fault.
    }
  }

  // In a class of its own, so that its thread starts with the first watched object.
  private static final class Cleaning {
    static final Cleaner CLEANER = Cleaner.create();
  }
}
