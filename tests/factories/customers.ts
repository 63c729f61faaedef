/** Customers as an application creates them: every section filled, stored by the real command. */
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import {
  type SavedCustomer,
  upsertCustomer,
  withReadyPhotos,
} from '#gateway/manage/features/customers/public.ts'
import { makeApplication } from './applications.ts'
import { makeProduct } from './orders.ts'

export type ApplicationGiven = NonNullable<Parameters<typeof makeApplication>[1]>

/** The n-th application with all its optional parts. */
export function makeFullApplication(
  n: number,
  given: ApplicationGiven = {},
): ReturnType<typeof makeApplication> {
  return makeApplication(n, {
    device: {
      brand: 'Samsung',
      model: 'Galaxy A15',
      os: 'Android',
      osVersion: '14',
      language: 'en-IN',
      memoryMb: 4_096,
      operator: 'Jio',
    },
    photos: [
      { kind: 'pan', mime: 'image/png', base64: TINY_PNG },
      { kind: 'aadhaarFront', mime: 'image/png', base64: TINY_PNG },
    ],
    extracted: {
      panName: 'Ravi Kumar',
      panNumber: 'ABCPK1234F',
      panBirthday: '1994-05-17',
      aadhaarName: 'Ravi Kumar',
      aadhaarLast4: '1234',
      aadhaarBirthday: '1994-05-17',
      aadhaarSex: 'male',
      aadhaarAddress: '12 MG Road, Pune, Maharashtra 411001',
      bankHolder: 'Ravi Kumar',
    },
    facePan: 9_100,
    faceAadhaar: 8_800,
    ...given,
    customer: { email: `ravi${n}@mailbox.example`, ...given.customer },
  })
}

/** Stores the customer of an application, as the signed call does. */
export async function storeCustomer(
  floor: { context: AppContext },
  application: ReturnType<typeof makeApplication>,
): Promise<SavedCustomer> {
  await makeProduct(floor)
  const ready = await withReadyPhotos(application)
  const outcome = await runCommand(
    floor.context,
    { actor: systemActor('test'), audit: { action: 'application' } },
    (tx) => upsertCustomer(tx, ready),
  )
  // Without an idempotency key nothing is replayed.
  return (outcome as { result: SavedCustomer }).result
}

/** One pixel. */
export const TINY_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
