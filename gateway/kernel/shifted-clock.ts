/**
 * A clock of its own for a demo: every `Date` of this thread is moved by the same amount. Timers and
 * `performance` go on as they are.
 */
const RealDate = Date
let shift = 0

/** @param by how far from now, ms; 0 is the real time again */
export function shiftClock(by: number): void {
  shift = by
  globalThis.Date = by === 0 ? RealDate : Shifted
}

/** By how much the clock of this thread is moved, ms. */
export function clockShift(): number {
  return shift
}

export function realNow(): number {
  return RealDate.now()
}

const now = (): number => RealDate.now() + shift
// A proxy, not a subclass: dates made before, or by a library, are instances of it too.
const Shifted: DateConstructor = new Proxy(RealDate, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, made === Shifted ? target : made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
