/**
 * How a vendor inside the product reports to the console: by the signed call of a real one, with a
 * machine key of its own, in the background.
 */
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type MachineKey, ownMachineKey } from '#gateway/manage/kernel/machine.ts'
import { signMachineCall } from '#gateway/manage/kernel/machine-signature.ts'

export interface ReporterGiven {
  /** What the machine key is named after, and what it may call. */
  kind: string
  scope: string
  vendorCode: string
  /** The call below `/api/manage`. */
  path: string
}

const MOST_TRIES = 3

export class SandboxReporter {
  readonly #context: AppContext
  readonly #app: FastifyInstance
  readonly #given: ReporterGiven
  readonly #underWay = new Set<Promise<void>>()
  #key: Promise<MachineKey> | null = null

  constructor(context: AppContext, app: FastifyInstance, given: ReporterGiven) {
    this.#context = context
    this.#app = app
    this.#given = given
  }

  get isReporting(): boolean {
    return this.#underWay.size > 0
  }

  /** What could not be reported is queried later. @param about ids for the log */
  report(about: Record<string, string>, send: () => Promise<void>): void {
    const sent = send()
      .catch((error: unknown) =>
        this.#context.log.warn(
          { err: error, kind: this.#given.kind, ...about },
          'a sandbox vendor could not report; it is asked later',
        ),
      )
      .finally(() => this.#underWay.delete(sent))
    this.#underWay.add(sent)
  }

  /** @throws Error when the console does not take it */
  async call(body: string, eventId: string): Promise<void> {
    const { kind, scope, vendorCode, path } = this.#given
    this.#key ??= ownMachineKey(this.#context, {
      name: `${kind}:${vendorCode}`,
      scopes: [scope],
      vendorCode,
    })
    const { keyId, secret } = await this.#key
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#app.inject({
        method: 'POST',
        url: `/api/manage${path}`,
        headers: signMachineCall({ keyId, secret, body, eventId, now: Date.now() }),
        payload: body,
      })
      if (answer.statusCode === 200 && answer.json<{ code: number }>().code !== 500) return
      if (tries === MOST_TRIES) throw new Error(`manage answered ${answer.statusCode}`)
    }
  }

  /** All reports under way have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#underWay)
  }
}
