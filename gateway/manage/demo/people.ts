/**
 * Invented borrowers: every value has the form of a real one and belongs to nobody.
 */
import { verhoeffDigit } from '#gateway/manage/features/customers/public.ts'
import { addDays } from '#shared/kernel/time.ts'
import {
  BANKS,
  CITIES,
  COMPANIES,
  DEVICES,
  FEMALE,
  LOCALITIES,
  MALE,
  OPERATORS,
  PROFESSIONS,
  STREETS,
  SURNAMES,
} from './lists.ts'
import { type Rng, rngOf } from './random.ts'

const MAILBOXES = ['mailbox.example', 'post.example', 'inbox.example']

export interface Person {
  name: string
  sex: 'male' | 'female'
  birthday: string
  phone: string
  pan: string
  aadhaar: string
  maritalStatus: string
  education: string
  childrenCount: number
  dwellingState: string
  profession: string
  companyName: string
  companyAddress: string
  address: string
  city: string
  postcode: string
  /** Paise a month. */
  monthlyIncome: number
  email: string
  language: string
  contacts: { relation: string; name: string; phone: string }[]
  bank: { holder: string; bankName: string; account: string; ifsc: string; nameSimilarity: number }
  device: {
    brand: string
    model: string
    os: string
    osVersion: string
    language: string
    memoryMb: number
    operator: string
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const TEN_DIGITS = 1_000_000_000

/**
 * The i-th borrower of a seed. Phones are distinct: their last nine digits are a permutation of the
 * index.
 */
export function personOf(seed: number, i: number, today: string): Person {
  const rng = rngOf(seed, 'person', i)
  const sex = rng.chance(0.66) ? 'male' : 'female'
  const first = rng.pick(sex === 'male' ? MALE : FEMALE)
  const surname = rng.pick(SURNAMES)
  const name = `${first} ${surname}`
  const city = rng.pick(CITIES)
  const postcode = `${city.pin}${String(rng.int(1, 99)).padStart(3, '0')}`
  const married = rng.chance(0.58)
  const income = Math.round(Math.exp(10.35 + 0.45 * rng.normal()) / 500) * 500
  return {
    name,
    sex,
    birthday: addDays(today, -rng.int(21 * 365 + 6, 57 * 365)),
    phone: phoneOf(seed, i),
    pan: `${letters(rng, 3)}P${surname.slice(0, 1).toUpperCase()}${digits(rng, 4)}${letters(rng, 1)}`,
    aadhaar: aadhaarOf(rng),
    maritalStatus: married ? 'married' : 'single',
    education: rng.pick([
      'secondary',
      'higherSecondary',
      'diploma',
      'graduate',
      'graduate',
      'postgraduate',
    ]),
    childrenCount: married ? rng.int(0, 3) : 0,
    dwellingState: rng.pick(['rented', 'rented', 'owned', 'family', 'company']),
    profession: rng.pick(PROFESSIONS),
    companyName: rng.pick(COMPANIES),
    companyAddress: `${rng.pick(LOCALITIES)}, ${city.name}`,
    address: `${rng.int(1, 480)}, ${rng.pick(STREETS)}, ${rng.pick(LOCALITIES)}, ${city.name} ${postcode}`,
    city: city.name,
    postcode,
    monthlyIncome: Math.min(Math.max(income, 9_000), 250_000) * 100,
    email: `${first.toLowerCase()}.${surname.toLowerCase()}${rng.int(1, 999)}@${rng.pick(MAILBOXES)}`,
    language: rng.chance(0.85) ? 'en' : 'hi',
    contacts: contactsOf(rng, surname, married, sex),
    bank: bankOf(rng, name),
    device: {
      ...rng.pick(DEVICES),
      language: rng.chance(0.8) ? 'en-IN' : 'hi-IN',
      memoryMb: rng.pick([3_072, 4_096, 6_144, 8_192]),
      operator: rng.pick(OPERATORS),
    },
  }
}

function phoneOf(seed: number, i: number): string {
  const tail =
    (BigInt(i) * 387_420_489n + BigInt(seed % 99_991) * 7_919n + 123_456_789n) % BigInt(TEN_DIGITS)
  return `${6 + (i % 4)}${String(tail).padStart(9, '0')}`
}
function aadhaarOf(rng: Rng): string {
  const body = `${rng.int(2, 9)}${digits(rng, 10)}`
  return body + verhoeffDigit(body)
}
function bankOf(rng: Rng, name: string): Person['bank'] {
  const bank = rng.pick(BANKS)
  // most accounts carry the name as it is, some an initial, few somebody else's
  const kind = rng.weighted([84, 12, 4])
  const [first = '', last = ''] = name.split(' ')
  const holder =
    kind === 0
      ? name.toUpperCase()
      : kind === 1
        ? `${first.slice(0, 1)} ${last}`.toUpperCase()
        : `${rng.pick(MALE)} ${rng.pick(SURNAMES)}`.toUpperCase()
  const nameSimilarity =
    kind === 0 ? rng.int(9_600, 10_000) : kind === 1 ? rng.int(8_200, 9_300) : rng.int(3_100, 7_600)
  return {
    holder,
    bankName: bank.name,
    account: `${rng.int(1, 9)}${digits(rng, bank.digits - 1)}`,
    ifsc: `${bank.code}0${String(rng.int(1, 9_999)).padStart(6, '0')}`,
    nameSimilarity,
  }
}
function contactsOf(rng: Rng, surname: string, married: boolean, sex: string): Person['contacts'] {
  const phone = () => `${rng.int(6, 9)}${digits(rng, 9)}`
  const close = married
    ? {
        relation: 'spouse',
        name: `${rng.pick(sex === 'male' ? FEMALE : MALE)} ${surname}`,
        phone: phone(),
      }
    : { relation: 'parent', name: `${rng.pick(MALE)} ${surname}`, phone: phone() }
  return [
    close,
    {
      relation: rng.pick(['sibling', 'parent', 'relative']),
      name: `${rng.pick([...MALE, ...FEMALE])} ${surname}`,
      phone: phone(),
    },
    {
      relation: rng.pick(['friend', 'colleague']),
      name: `${rng.pick([...MALE, ...FEMALE])} ${rng.pick(SURNAMES)}`,
      phone: phone(),
    },
  ]
}

function digits(rng: Rng, count: number): string {
  let text = ''
  for (let i = 0; i < count; i += 1) text += rng.int(0, 9)
  return text
}
function letters(rng: Rng, count: number): string {
  let text = ''
  for (let i = 0; i < count; i += 1) text += LETTERS[rng.int(0, 25)]
  return text
}
