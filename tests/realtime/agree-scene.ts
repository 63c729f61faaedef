/** People and partners of the moves that cause live events, and the reviews they act on. */
import { sql } from 'kysely'
import { makeReview, type ReviewGiven } from '#tests/factories/reviews.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import type { Person } from '#tests/support/manage.ts'
import type { Stack } from '#tests/support/stack.ts'

export interface Scene {
  stack: Stack
  machine: Machine
  reviewer: Person
  colleague: Person
  inspector: Person
  manager: Person
  director: Person
  service: Person
}

export interface Move {
  name: string
  /** Event types it must cause. */
  emits: readonly string[]
  /** Before the lists are read; its result is passed to `act`. */
  arrange(scene: Scene): Promise<string>
  /** After they were read. */
  act(scene: Scene, id: string): Promise<unknown>
}

export async function sceneOf(stack: Stack): Promise<Scene> {
  const [reviewer, colleague, inspector, manager, director, service] = await Promise.all([
    stack.signIn('reviewer'),
    stack.signIn('reviewer2'),
    stack.signIn('quality_inspector'),
    stack.signIn('manager'),
    stack.signIn('director'),
    stack.signIn('customer_service'),
  ])
  return {
    stack,
    machine: await machineOf(stack, ['application', 'machineReview', 'payment']),
    reviewer,
    colleague,
    inspector,
    manager,
    director,
    service,
  }
}

export const reason = 'a test of the lists'

export const made =
  (given: ReviewGiven) =>
  async ({ stack }: Scene) =>
    (await makeReview(stack, given)).reviewId
export const mine =
  (state: ReviewGiven['state'], given: ReviewGiven = {}) =>
  async ({ stack, reviewer }: Scene) =>
    (await makeReview(stack, { ...given, state, reviewerId: reviewer.userId })).reviewId

export async function rowOf(
  { stack }: Scene,
  reviewId: string,
): Promise<{ reviewId: string; version: number; token: number }> {
  const { rows } = await sql<{
    version: number
    token: number
  }>`select r.version, r.token from review r where r.id = ${reviewId}`.execute(
    stack.database.kysely,
  )
  return { reviewId, version: rows[0]?.version ?? 0, token: rows[0]?.token ?? 0 }
}

export async function orderOf({ stack }: Scene, reviewId: string): Promise<string> {
  const { rows } = await sql<{ order_id: string }>`
    select r.order_id from review r where r.id = ${reviewId}`.execute(stack.database.kysely)
  return rows[0]?.order_id ?? ''
}
