/**
 * Bounds of sign-ins. By account they refuse; by address they slow strange devices and refuse only
 * what piles up behind them, because a whole office shares an address. A device from which somebody
 * gave a right password is known by a cookie that this edge or another one signed, and has a bound
 * of its own, so that a flood from its address costs it nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '#gateway/kernel/clock.ts'
import type { AddressOf } from '#gateway/edge/client-address.ts'
import { type EdgeLimits, TokenBuckets } from '#gateway/edge/limits.ts'

const KEPT_SECONDS = 400 * 86_400
const ID_BYTES = 16

export interface SignInLimitsDeps {
  limits: EdgeLimits
  clock: Clock
  addressOf: AddressOf
  secure: boolean
  /** The same at every edge. */
  secret: string
}

export class SignInLimits {
  readonly #deps: SignInLimitsDeps
  readonly #cookie: string
  readonly #byAccount: TokenBuckets
  readonly #byAddress: TokenBuckets
  readonly #byDevice: TokenBuckets
  readonly #slowed = new Map<string, number>()

  constructor(deps: SignInLimitsDeps) {
    const { loginsPerAccountPerMinute, loginsPerIpPerMinute } = deps.limits
    this.#deps = deps
    this.#cookie = deps.secure ? '__Host-device' : 'device'
    this.#byAccount = perMinute(loginsPerAccountPerMinute)
    this.#byAddress = perMinute(loginsPerIpPerMinute)
    this.#byDevice = perMinute(loginsPerIpPerMinute)
  }

  /**
   * Counts a sign-in, and holds it back when many came from its address.
   * @param account null for a second step, which is counted by its challenge
   * @returns 0 when it may continue, else seconds until it may be tried again
   */
  async admit(request: FastifyRequest, account: string | null): Promise<number> {
    const { clock, limits } = this.#deps
    const device = this.#deviceOf(request)
    const address = this.#deps.addressOf(request.raw)
    const ofAccount = account ? this.#byAccount.take(account, clock.now()) : 0
    if (device !== null) return Math.max(ofAccount, this.#byDevice.take(device, clock.now()))
    const ofAddress = this.#byAddress.take(address, clock.now())
    if (ofAccount > 0 || ofAddress === 0) return ofAccount
    const waiting = this.#slowed.get(address) ?? 0
    if (waiting >= limits.slowSignIns) return ofAddress
    this.#slowed.set(address, waiting + 1)
    await pause(limits.slowSignInMs)
    const left = (this.#slowed.get(address) ?? 1) - 1
    if (left === 0) this.#slowed.delete(address)
    else this.#slowed.set(address, left)
    return 0
  }

  /** A right password came from this browser: its device is known from now on. */
  remember(request: FastifyRequest, reply: FastifyReply): void {
    if (request.headers['sec-fetch-site'] === undefined || this.#deviceOf(request) !== null) return
    const id = randomBytes(ID_BYTES).toString('base64url')
    const cookie = [
      `${this.#cookie}=${id}.${this.#mac(id)}`,
      'Path=/',
      `Max-Age=${KEPT_SECONDS}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(this.#deps.secure ? ['Secure'] : []),
    ].join('; ')
    const given = reply.getHeader('set-cookie')
    const others = given === undefined ? [] : [given].flat().map(String)
    void reply.removeHeader('set-cookie').header('set-cookie', [...others, cookie])
  }

  #deviceOf(request: FastifyRequest): string | null {
    const start = `${this.#cookie}=`
    const found = request.headers.cookie?.split(/; */).find((one) => one.startsWith(start))
    const [id = '', mac = ''] = found?.slice(start.length).split('.') ?? []
    const [given, own] = [Buffer.from(mac), Buffer.from(this.#mac(id))]
    return given.length === own.length && timingSafeEqual(given, own) ? id : null
  }

  #mac(id: string): string {
    return createHmac('sha256', this.#deps.secret).update(`device\n${id}`).digest('base64url')
  }
}

function perMinute(count: number): TokenBuckets {
  return new TokenBuckets(count / 60, count)
}
