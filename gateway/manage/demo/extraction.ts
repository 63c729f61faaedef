/**
 * What a reader of the documents found: mostly what the customer said, sometimes a gap that a
 * reviewer must judge.
 */
import { CITIES, LOCALITIES, STREETS, SURNAMES } from './lists.ts'
import type { Person } from './people.ts'
import type { Rng } from './random.ts'
import { addDays } from '#shared/kernel/time.ts'

export interface Extraction {
  panName: string
  panBirthday: string
  aadhaarName: string
  aadhaarBirthday: string
  aadhaarStreet: string
  /** City and PIN code. */
  aadhaarPlace: string
  bankHolder: string
  /** Basis points. */
  facePan: number
  faceAadhaar: number
}

export function extractionOf(person: Person, rng: Rng): Extraction {
  const [first = '', last = ''] = person.name.split(' ')
  const kind = rng.weighted([62, 8, 6, 4, 14, 6])
  const other = rng.pick(CITIES)
  return {
    panName:
      kind === 1
        ? `${first.slice(0, 1)} ${last}`
        : kind === 2
          ? `${first} ${last.slice(0, -1)}`
          : person.name,
    panBirthday: kind === 3 ? addDays(person.birthday, rng.int(1, 30)) : person.birthday,
    aadhaarName: kind === 5 ? `${first} ${rng.pick(SURNAMES)}` : person.name,
    aadhaarBirthday: person.birthday,
    aadhaarStreet:
      kind === 4
        ? `${rng.int(1, 480)}, ${rng.pick(STREETS)}, ${rng.pick(LOCALITIES)}`
        : person.address.split(', ').slice(0, 3).join(', '),
    aadhaarPlace:
      kind === 4
        ? `${other.name} ${other.pin}${String(rng.int(1, 99)).padStart(3, '0')}`
        : `${person.city} ${person.postcode}`,
    bankHolder: person.bank.holder,
    facePan: rng.chance(0.08) ? rng.int(5_400, 7_400) : rng.int(8_300, 9_900),
    faceAadhaar: rng.chance(0.06) ? rng.int(5_600, 7_600) : rng.int(8_500, 9_900),
  }
}
