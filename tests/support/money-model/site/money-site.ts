/** The product beside the model: performs its actions, and reads what came of them. */
import type { Database } from '#gateway/manage/db/client.ts'
import { payoutDispatch } from '#gateway/manage/features/orders/payout-dispatch-job.ts'
import { type Action, BORROWERS } from '../actions.ts'
import { callsOf } from './calls.ts'
import { foldFaults } from './fold-faults.ts'
import { apply, performAsPartner } from './partner-actions.ts'
import { openDayAt, openProduct, type Product } from './product.ts'
import { performAsStaff } from './staff-actions.ts'
import type { SiteState } from './site-state.ts'
import { readOrders, type Stored } from './stored-orders.ts'

export class MoneySite {
  readonly #state: SiteState
  /** State of each order when it was folded last. */
  #folded: string[] = []

  private constructor(product: Product) {
    this.#state = {
      product,
      today: 0,
      orders: [],
      known: [],
      people: 0,
      payments: 0,
      transfers: 0,
    }
  }

  static async open(): Promise<MoneySite> {
    return new MoneySite(await openProduct())
  }

  get database(): Database {
    return this.#state.product.database
  }
  get today(): number {
    return this.#state.today
  }
  get payments(): number {
    return this.#state.payments
  }

  close(): Promise<void> {
    return this.#state.product.close()
  }

  /** Other borrowers, and another day. */
  async begin(): Promise<void> {
    this.#state.people += BORROWERS
    this.#state.orders = Array.from({ length: BORROWERS }, () => null)
    this.#state.known = []
    this.#folded = []
    await this.#passDays(1)
  }

  /**
   * @param isThrice sent three times at once with one key: one effect, one answer
   * @returns `ok` or the id of the refusal
   */
  async perform(action: Action, isThrice: boolean): Promise<string> {
    const { product, known: ofAll } = this.#state
    if (action.kind === 'day') return this.#passDays(action.days)
    if (action.kind === 'dispatch') {
      await payoutDispatch.run(product.manage.context)
      return 'ok'
    }
    const calls = callsOf(product, isThrice)
    if (action.kind === 'apply') return apply(this.#state, action, calls)
    const known = ofAll[action.borrower]
    if (!known) throw new Error(`borrower ${action.borrower} has no order`)
    switch (action.kind) {
      case 'judge':
      case 'payout':
      case 'contradictPayout':
      case 'cancel':
      case 'pay':
      case 'contradict':
        return performAsPartner(this.#state, known, action, calls)
      default:
        return performAsStaff(this.#state, known, action, calls)
    }
  }

  /** Everything the model knows, read from the tables. */
  async stored(): Promise<(Stored | null)[]> {
    const { product, orders } = this.#state
    const read = await readOrders(product.database, orders)
    this.#state.known = read.map((order) => order?.known ?? null)
    return read.map((order) => order?.stored ?? null)
  }

  /**
   * Loans whose books differ from the fold over their history.
   * @param stored as read just now: what did not change is not folded again
   */
  async foldFaults(stored: readonly (Stored | null)[]): Promise<string[]> {
    const { product, orders, today } = this.#state
    const day = product.dayOf(today)
    const states = stored.map((one) => JSON.stringify([day, one]))
    const changed = orders.filter((id, n) => id !== null && states[n] !== this.#folded[n])
    this.#folded = states
    return foldFaults(
      product.database,
      changed.filter((id) => id !== null),
      day,
    )
  }

  async #passDays(days: number): Promise<string> {
    // A clock is never set back.
    if (days === 0) return 'ok'
    this.#state.today += days
    const { product, today } = this.#state
    await openDayAt(product, product.dayOf(today))
    return 'ok'
  }
}
