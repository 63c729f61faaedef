import type { EdgeLimits } from '#gateway/edge/limits.ts'

/** High enough that no test reaches them by accident; tests of the limits set their own. */
export const WIDE_LIMITS: Partial<EdgeLimits> = {
  loginsPerAccountPerMinute: 1e6,
  loginsPerIpPerMinute: 1e6,
  requestsPerSecond: 1e6,
  requestBurst: 1e6,
  handshakesPerSecondPerIp: 1e6,
  socketsPerUser: 1e6,
  messagesPerSecond: 1e6,
  // after a stall of a second the delay may be unknown, which counts as infinite
  loopDelayMs: Infinity,
  heapBytes: 8e9,
}
