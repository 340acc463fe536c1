package dev.hiplab;

import java.util.Map;

/**
 * The disposable streams of one device at one moment (MIOpen 12265).
 *
 * @param owned streams that there are: pooled, acquired and draining
 * @param pooled those that wait for the next {@link Device#acquireStream}
 * @param acquired those given out
 * @param draining abandoned ones whose work still runs
 * @param pinnedBytes scratch memory that the abandoned work still holds
 */
public record TrackerState(
    long owned, long pooled, long acquired, long draining, long pinnedBytes) {
  static TrackerState of(Map<String, Long> lines) {
    return new TrackerState(
        lines.get("owned"),
        lines.get("pooled"),
        lines.get("acquired"),
        lines.get("draining"),
        lines.get("pinnedBytes"));
  }
}
