import Type from 'typebox'
import { endpoint, Nullable, OneOf, Time } from '#shared/kernel/endpoint.ts'
import { ARRIVALS, DAY_FIGURE_KEYS, LANE_KINDS, NEXT_KEYS } from './day-sets.ts'

/** The working day of one person. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()

export const workDay = endpoint({
  method: 'GET',
  path: '/report/workDay',
  access: 'any',
  // fetched again after live events, so it must not count as the person's own activity
  passive: true,
  input: Type.Object({
    /** When the person left; without it, when their last session was used last. */
    since: Type.Optional(Time()),
  }),
  data: Type.Object({
    /** What the person could do, the first thing first; what has no work is left out. */
    next: Type.Array(
      Type.Object({
        key: OneOf(NEXT_KEYS),
        /** Of work that is in several lists: the menu of this one. */
        part: maybe,
        count: int,
        time: maybe,
        target: text,
      }),
    ),
    /** What the day has times for, from 08:00 to 19:00 IST; marks are at half hours. */
    lane: Type.Object({
      /** The person's shift, `HH:MM` IST; null without one. */
      shift: Nullable(Type.Object({ from: text, to: text })),
      marks: Type.Array(
        Type.Object({
          kind: OneOf(LANE_KINDS),
          time: text,
          count: int,
          /** Of a single one. */
          name: maybe,
          target: text,
        }),
      ),
    }),
    /** Each within the caller's scope, compared with yesterday. */
    figures: Type.Array(
      Type.Object({
        key: OneOf(DAY_FIGURE_KEYS),
        value: Nullable(int),
        /** Yesterday up to this minute. */
        before: Nullable(int),
        /** What the day should bring; null where none is set. */
        goal: Nullable(int),
        /** At the end of each hour: today up to the present one, and all of yesterday. */
        today: Type.Array(Nullable(int)),
        yesterday: Type.Array(Nullable(int)),
        target: text,
      }),
    ),
    since: Nullable(
      Type.Object({
        time: text,
        arrivals: Type.Array(
          Type.Object({ key: OneOf(ARRIVALS), count: int, amount: Nullable(int), target: text }),
        ),
      }),
    ),
    asOf: text,
  }),
  summary: "The caller's next work, times of the day, figures beside yesterday's, and news",
})
