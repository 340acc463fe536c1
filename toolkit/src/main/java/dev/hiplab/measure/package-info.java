/**
 * Measuring on a device: problems, samples and what is said of them, timing with device events, and
 * the survey of hipBLASLt's candidates. Uses the API alone.
 */
package dev.hiplab.measure;
