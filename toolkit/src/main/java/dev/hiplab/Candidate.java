package dev.hiplab;

/**
 * One algorithm that hipBLASLt's heuristic offered for a GEMM.
 *
 * @param shape such as {@code bf16 64x64x64 NT}: m x n x k and transposes, row-major
 * @param index place in the heuristic's list, from 0
 * @param workspaceBytes scratch memory that the algorithm asks for, bytes
 * @param waves the library's wave count
 * @param solution the library's own index of it, which hipblaslt-bench prints and takes; -1 when
 *     the library tells none
 * @param name the library's own name of it; empty when the library tells none
 */
public record Candidate(
    String shape, int index, long workspaceBytes, float waves, int solution, String name) {}
