/**
 * The plan of an EMI loan, calculated a second time: day by day, with fractions of its own. Days are
 * numbers since the epoch, money is whole paise.
 */
export interface Prepaid {
  day: number
  amount: number
  isLower: boolean
}

/** Where a loan is at the beginning of the month of its next instalment. */
export interface LoanState {
  /** Basis points a year. */
  rate: number
  dueDay: number
  /** Principal that no instalment was due for yet. */
  balance: number
  emi: number
  /** Instalments to come, as agreed. */
  left: number
  /** The time of the next one: its beginning, the beginning of its whole month, its due day. */
  from: number
  monthFrom: number
  due: number
  /** Paid ahead in that time. */
  prepaid: readonly Prepaid[]
}

export interface Instalment {
  due: number
  principal: number
  interest: number
}

const DAY = 86_400_000

export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY
}
export function dayText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

function dateOf(day: number): [year: number, month: number, date: number] {
  const date = new Date(day * DAY)
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
}

function monthLater(day: number): number {
  const [year, month, date] = dateOf(day)
  return Date.UTC(year, month + 1, date) / DAY
}

/** Half up. */
function rounded(numerator: bigint, denominator: bigint): number {
  const whole = numerator / denominator
  return Number((numerator % denominator) * 2n >= denominator ? whole + 1n : whole)
}

function ofMonth(balance: number, rate: number): number {
  return rounded(BigInt(balance) * BigInt(rate), 120_000n)
}

/** The smallest equal instalment whose last one is not larger: guessed, then moved by paise. */
export function emiOf(balance: number, rate: number, left: number): number {
  const month = rate / 120_000
  const guess = month === 0 ? balance / left : (balance * month) / (1 - Math.pow(1 + month, -left))
  const isEnough = (emi: number) => {
    let rest = balance
    for (let n = 1; n < left; n += 1) rest -= emi - ofMonth(rest, rate)
    return rest + ofMonth(rest, rate) <= emi
  }
  let emi = Math.max(1, Math.round(guess) - 3)
  while (emi > 1 && isEnough(emi - 1)) emi -= 1
  while (!isEnough(emi)) emi += 1
  return emi
}

export function stateOf(
  { rate, dueDay, amount, left }: { rate: number; dueDay: number; amount: number; left: number },
  paidOut: number,
): LoanState {
  const [year, month, date] = dateOf(paidOut)
  const monthFrom = Date.UTC(year, date > dueDay ? month + 1 : month, dueDay) / DAY
  return {
    rate,
    dueDay,
    balance: amount,
    emi: emiOf(amount, rate, left),
    left,
    from: paidOut,
    monthFrom,
    due: monthLater(monthFrom),
    prepaid: [],
  }
}

/** What no instalment was due for yet, less what was paid ahead of it. */
export function restOf({ balance, prepaid }: LoanState): number {
  return prepaid.reduce((rest, { amount }) => rest - amount, balance)
}

/** Interest of the time since the last instalment, up to the beginning of a day. */
export function accrued({ rate, balance, from, monthFrom, due, prepaid }: LoanState, to: number) {
  let [broken, whole] = [0n, 0n]
  let rest = balance
  for (let day = from; day < to; day += 1) {
    for (const one of prepaid) if (one.day === day) rest -= one.amount
    if (day < monthFrom) broken += BigInt(rest)
    else whole += BigInt(rest)
  }
  // a 365th of the rate for a day before the month, a twelfth for the days of the month together
  const month = BigInt(due - monthFrom)
  return rounded(BigInt(rate) * (broken * 12n * month + whole * 365n), 10_000n * 365n * 12n * month)
}

/** The instalments to come. */
export function planOf(state: LoanState): Instalment[] {
  const plan: Instalment[] = []
  for (let one: LoanState | null = state; one !== null; one = next(one).state)
    if (restOf(one) > 0) plan.push(next(one).instalment)
  return plan
}

/** The next instalment, and where the loan stands after it; null when it is paid back then. */
export function next(state: LoanState): { instalment: Instalment; state: LoanState | null } {
  const { rate, left, due } = state
  const rest = restOf(state)
  const emi = state.prepaid.at(-1)?.isLower === true ? emiOf(rest, rate, left) : state.emi
  const equal = emi - ofMonth(rest, rate)
  const principal = left === 1 ? rest : Math.min(rest, equal)
  const instalment = { due, principal, interest: accrued(state, due) }
  const balance = rest - principal
  if (balance === 0) return { instalment, state: null }
  return {
    instalment,
    state: {
      ...state,
      balance,
      emi,
      left: left - 1,
      from: due,
      monthFrom: due,
      due: monthLater(due),
      prepaid: [],
    },
  }
}
