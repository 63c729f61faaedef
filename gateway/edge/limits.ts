/**
 * Every bound of the edge in one place; a test or a deployment overrides single ones.
 */
export interface EdgeLimits {
  jsonBytes: number
  uploadBytes: number
  /** Request line and headers together. */
  headerBytes: number
  headersTimeoutMs: number
  requestTimeoutMs: number
  keepAliveMs: number
  connections: number
  upstreamConnections: number
  /** Below the client's 50 s, so that the client receives the reason. */
  upstreamTimeoutMs: number
  loginsPerAccountPerMinute: number
  loginsPerIpPerMinute: number
  /** What a sign-in beyond that waits, and how many of one address may wait at once. */
  slowSignInMs: number
  slowSignIns: number
  requestsPerSecond: number
  requestBurst: number
  /** Event loop delay and heap from which calls are shed. */
  loopDelayMs: number
  heapBytes: number
  handshakesPerSecondPerIp: number
  socketsPerUser: number
  messagesPerSecond: number
  messageBytes: number
  watches: number
  /** Rows of a list whose presence a tab may follow. */
  rows: number
  writeBufferPackets: number
  bufferedBytes: number
  ringEvents: number
  ringBytes: number
  catchUpPage: number
  catchUpsAtOnce: number
  questionsAtOnce: number
  recheckMs: number
  resyncMs: number
  feedSilenceMs: number
  /** How often each of several cores is asked how it is, and how soon it has to answer. */
  coreWatchMs: number
  coreSilenceMs: number
  heartbeatMs: number
  coalesceMs: number
  drainJitterMs: number
  /**
   * How often an edge publishes its presence to the others, and after which silence it is dropped.
   */
  presencePublishMs: number
  presenceSilentMs: number
}

export const EDGE_LIMITS: EdgeLimits = {
  jsonBytes: 1_048_576,
  uploadBytes: 22_020_096,
  headerBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 72_000,
  connections: 10_000,
  upstreamConnections: 64,
  upstreamTimeoutMs: 45_000,
  loginsPerAccountPerMinute: 5,
  loginsPerIpPerMinute: 20,
  slowSignInMs: 2_000,
  slowSignIns: 20,
  requestsPerSecond: 50,
  requestBurst: 100,
  loopDelayMs: 500,
  heapBytes: 1_200_000_000,
  handshakesPerSecondPerIp: 50,
  socketsPerUser: 10,
  messagesPerSecond: 20,
  messageBytes: 65_536,
  watches: 20,
  rows: 100,
  writeBufferPackets: 2_000,
  bufferedBytes: 4_194_304,
  ringEvents: 20_000,
  ringBytes: 16_777_216,
  catchUpPage: 500,
  catchUpsAtOnce: 20,
  questionsAtOnce: 32,
  recheckMs: 60_000,
  resyncMs: 10_000,
  feedSilenceMs: 5_000,
  coreWatchMs: 500,
  coreSilenceMs: 900,
  heartbeatMs: 5_000,
  coalesceMs: 30,
  drainJitterMs: 3_000,
  presencePublishMs: 5_000,
  presenceSilentMs: 12_000,
}

const SWEEP_SIZE = 10_000

interface Bucket {
  tokens: number
  at: number
}

/**
 * Token buckets by key: `burst` at once, `perSecond` refilled. Full ones are forgotten, so the map
 * stays as small as the traffic.
 */
export class TokenBuckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond
    this.#burst = burst
  }

  /**
   * Takes one token.
   * @param now milliseconds
   * @returns 0 when there was one, else whole seconds until there is
   */
  take(key: string, now: number): number {
    const bucket = this.#buckets.get(key)
    if (!bucket) {
      if (this.#buckets.size >= SWEEP_SIZE) this.#sweep(now)
      this.#buckets.set(key, { tokens: this.#burst - 1, at: now })
      return 0
    }
    bucket.tokens = this.#refilled(bucket, now)
    bucket.at = now
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond))
    bucket.tokens -= 1
    return 0
  }

  #refilled(bucket: Bucket, now: number): number {
    return Math.min(
      this.#burst,
      bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * this.#perSecond,
    )
  }

  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets)
      if (this.#refilled(bucket, now) >= this.#burst) this.#buckets.delete(key)
  }
}
