/**
 * The rules of claims, implemented a second time and independently: a few reviews, three reviewers
 * and a leader, and for each action its outcome (`ok` or the id of the refusal) and the rows after
 * it.
 */
export const REVIEWERS = ['reviewer', 'reviewer2', 'reviewer3'] as const
export const LEADER = 'manager'
export type Who = (typeof REVIEWERS)[number] | typeof LEADER
export const ITEMS = 4
const CAPACITY = 3

export const KINDS = [
  'claim',
  'claimNext',
  'open',
  'renew',
  'release',
  'decide',
  'askHandover',
  'approve',
  'reject',
  'cancel',
  'takeOver',
  'runOut',
  'sweep',
  'look',
  'restart',
] as const
export type Kind = (typeof KINDS)[number]

export interface Step {
  kind: Kind
  who: Who
  item: number
  /** Receiver of a hand-over. */
  to: Who
  /**
   * Done by a user who can do it to an item it fits, when there are such: purely random steps
   * rarely succeed.
   */
  isGuided: boolean
}

export interface Item {
  state: 'unclaimed' | 'toAudit' | 'underReview' | 'failed'
  /** Holder, after the decision who decided. */
  reviewer: Who | null
  token: number
  version: number
  /** The lease has expired and the sweep has not run yet. */
  isOver: boolean
  pending: { to: Who; token: number } | null
  /** The newest hand-over: its requester, the holder at that time, and the receiver. */
  wasAsked: { by: Who; from: Who; to: Who } | null
  heldOnce: Set<Who>
}

/** What a user's screen shows of an item, which is sent with an action. */
export interface Seen {
  token: number
  version: number
}

/** Items that a step can apply to. */
const FITS: Partial<Record<Kind, (one: Item) => boolean>> = {
  claim: (one) => one.state === 'unclaimed',
  look: isHeldState,
  open: (one) => one.state === 'toAudit',
  renew: isHeldState,
  release: isHeldState,
  decide: (one) => one.state === 'underReview',
  askHandover: (one) => isHeldState(one) && one.pending === null,
  approve: (one) => one.pending !== null,
  reject: (one) => one.pending !== null,
  cancel: (one) => one.pending !== null,
  takeOver: (one) => one.state === 'underReview',
  runOut: isHeldState,
}

export class ClaimModel {
  readonly items: Item[] = Array.from({ length: ITEMS }, () => ({
    state: 'unclaimed',
    reviewer: null,
    token: 0,
    version: 1,
    isOver: false,
    pending: null,
    wasAsked: null,
    heldOnce: new Set<Who>(),
  }))
  readonly #seen = new Map<string, Seen>()

  /** Steps that cannot apply are left out. */
  isPossible({ kind, who, item }: Step): boolean {
    const isReviewer = who !== LEADER
    if (kind === 'claim') return isReviewer
    if (kind === 'claimNext')
      return isReviewer && this.items.some((one) => one.state === 'unclaimed')
    if (kind === 'takeOver') return who === LEADER
    if (kind === 'approve' || kind === 'reject' || kind === 'cancel')
      return this.#at(item).wasAsked !== null
    return kind !== 'runOut' || isHeldState(this.#at(item))
  }

  guided(step: Step): Step {
    if (!step.isGuided) return step
    const { kind } = step
    const fitting = this.items.flatMap((one, item) => (FITS[kind]?.(one) ? [item] : []))
    const item = fitting[step.item % Math.max(1, fitting.length)]
    if (item === undefined) return step
    const one = this.#at(item)
    const who =
      kind === 'approve' || kind === 'reject'
        ? one.wasAsked?.to
        : kind === 'cancel'
          ? one.wasAsked?.by
          : kind === 'takeOver'
            ? LEADER
            : one.reviewer
    return { ...step, item, who: who ?? step.who }
  }

  seen(who: Who, item: number): Seen {
    const { token, version } = this.#at(item)
    return this.#seen.get(`${who} ${item}`) ?? { token, version }
  }

  /** Executes the step. @returns `ok` or the problem's id */
  apply(step: Step): string {
    const one = this.#at(step.item)
    switch (step.kind) {
      case 'claim':
        return this.#claim(step.who, step.item)
      case 'claimNext':
        if (this.#held(step.who) >= CAPACITY) return 'V-MAX'
        return this.#claim(
          step.who,
          this.items.findIndex((other) => other.state === 'unclaimed'),
        )
      case 'open':
        return this.#asHolder(step, () => {
          if (one.state !== 'toAudit' || !isOwner(one, step.who)) return 'V-STATE'
          change(one, { state: 'underReview' })
          return this.#look(step.who, step.item)
        })
      case 'renew': {
        const isMine = isOwner(one, step.who) && this.seen(step.who, step.item).token === one.token
        return isMine ? 'ok' : this.#sees(step.who, one) ? 'V-LEASE' : 'G404'
      }
      case 'release':
        return this.#asHolder(step, () => (isOwner(one, step.who) ? free(one) : 'V-STATE'), false)
      case 'decide':
        return this.#decide(step, one)
      case 'askHandover':
        return this.#ask(step, one)
      case 'approve':
      case 'reject':
      case 'cancel':
        return this.#answer(step, one)
      case 'takeOver':
        if (one.reviewer === LEADER || one.state !== 'underReview') return 'V-STATE'
        give(one, LEADER)
        return this.#look(LEADER, step.item)
      case 'runOut':
        one.isOver = true
        return 'ok'
      case 'sweep':
        for (const other of this.items) if (other.isOver) free(other)
        return 'ok'
      case 'look':
        return this.#look(step.who, step.item)
      case 'restart':
        return 'ok'
    }
  }

  #claim(who: Who, item: number): string {
    const one = this.#at(item)
    if (isOwner(one, who)) return this.#look(who, item)
    if (one.state !== 'unclaimed') return 'V-TAKEN'
    if (this.#held(who) >= CAPACITY) return 'V-MAX'
    give(one, who)
    return this.#look(who, item)
  }

  #decide(step: Step, one: Item): string {
    if (!this.#sees(step.who, one)) return 'G404'
    // The same decision again, because its answer was lost.
    if (
      one.state === 'failed' &&
      one.reviewer === step.who &&
      this.seen(step.who, step.item).token === one.token
    )
      return 'ok'
    return this.#asHolder(step, () => {
      if (one.state !== 'underReview' || !isOwner(one, step.who)) return 'V-STATE'
      change(one, { state: 'failed', isOver: false, pending: null, version: one.version + 1 })
      return 'ok'
    })
  }

  #ask({ who, item, to }: Step, one: Item): string {
    if (to === LEADER) return 'V-DUTY'
    if (this.#held(to) >= CAPACITY) return 'V-MAX'
    if (!this.#sees(who, this.#at(item))) return 'G404'
    const mayAsk = isOwner(one, who) || who === LEADER
    if (one.isOver || !mayAsk) return 'V-LEASE'
    if (!isHeldState(one) || one.pending !== null || to === one.reviewer) return 'V-STATE'
    // It is held, so it has a holder.
    one.wasAsked = { by: who, from: one.reviewer as Who, to }
    change(one, { pending: { to, token: one.token } })
    return 'ok'
  }

  #answer({ kind, who }: Step, one: Item): string {
    const { by, from, to } = one.wasAsked as { by: Who; from: Who; to: Who }
    const isLeader = who === LEADER
    if (!isLeader && ![by, from, to].includes(who)) return 'G404'
    if (who === by && kind !== 'cancel') return 'G-SELF'
    if (kind === 'cancel' ? who !== by : who !== to && !isLeader) return 'G403'
    if (one.pending === null) return 'V-STATE'
    if (kind !== 'approve') {
      change(one, { pending: null })
      return 'ok'
    }
    if (this.#held(to) >= CAPACITY) return 'V-MAX'
    if (one.isOver || one.pending.token !== one.token) return 'V-STATE'
    give(one, to)
    return 'ok'
  }

  /**
   * Without the newest token the user gets the holder's name; with it, they must also have the
   * newest version.
   */
  #asHolder({ who, item }: Step, act: () => string, asksVersion = true): string {
    const one = this.#at(item)
    const { token, version } = this.seen(who, item)
    if (!this.#sees(who, one)) return 'G404'
    if (token !== one.token || one.isOver || (isHeldState(one) && one.reviewer !== who))
      return 'V-LEASE'
    if (asksVersion && version !== one.version) return 'G409'
    return act()
  }

  #look(who: Who, item: number): string {
    const { token, version } = this.#at(item)
    this.#seen.set(`${who} ${item}`, { token, version })
    return 'ok'
  }

  /** Scope of a reviewer: claimable items, own current and former items, and offered hand-overs. */
  #sees(who: Who, one: Item): boolean {
    return (
      who === LEADER ||
      one.state === 'unclaimed' ||
      one.reviewer === who ||
      one.pending?.to === who ||
      one.heldOnce.has(who)
    )
  }

  #held(who: Who): number {
    return this.items.filter((one) => isHeldState(one) && one.reviewer === who).length
  }

  #at(item: number): Item {
    return this.items[item] as Item
  }
}

function isHeldState(one: Item): boolean {
  return one.state === 'toAudit' || one.state === 'underReview'
}
function isOwner(one: Item, who: Who): boolean {
  return isHeldState(one) && !one.isOver && one.reviewer === who
}
function change(one: Item, fields: Partial<Item>): void {
  Object.assign(one, { version: one.version, ...fields })
  one.version += 1
}
function give(one: Item, who: Who): void {
  one.heldOnce.add(who)
  change(one, {
    state: 'toAudit',
    reviewer: who,
    token: one.token + 1,
    isOver: false,
    pending: null,
  })
}
function free(one: Item): string {
  change(one, {
    state: 'unclaimed',
    reviewer: null,
    token: one.token + 1,
    isOver: false,
    pending: null,
  })
  return 'ok'
}
