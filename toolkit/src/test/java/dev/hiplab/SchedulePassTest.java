package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What threads of a workload pass between two GEMMs orders none of them. */
@Timeout(60)
class SchedulePassTest {
  @Test
  void passingAPointWaitsForNoLockOfTheLoader() throws Exception {
    NativeLibrary.load();
    CompletableFuture<Void> passed;
    synchronized (NativeLibrary.class) {
      passed = CompletableFuture.runAsync(() -> Schedule.pass("test.between-gemms"));
      passed.get(20, TimeUnit.SECONDS);
    }
    assertThat(passed).isCompleted();
  }
}
