/** What the customer entered beside what was read from his documents, row by row, and where the two differ. Pure. */
import type { CustomerSections } from '../review-types.ts'

export type Source = 'pan' | 'aadhaar' | 'bank'
export interface CompareRow {
  /** i18n key below `review:field`. */
  field: 'name' | 'pan' | 'aadhaar' | 'birthday' | 'sex' | 'address' | 'holder'
  entered: string | null
  /** Read from each document that shows it. */
  read: readonly { source: Source; value: string; differs: boolean }[]
  verdict: 'match' | 'differs' | 'unread'
}

export function compareRows({ basic, kyc, bankCard }: CustomerSections): CompareRow[] {
  const read = kyc?.extracted
  if (!read) return []
  const rows = [
    row('name', basic.name, sameName, [
      ['pan', read.panName],
      ['aadhaar', read.aadhaarName],
    ]),
    row('pan', kyc.pan, sameText, [['pan', read.panNumber]]),
    row('aadhaar', kyc.aadhaar, sameText, [['aadhaar', read.aadhaarNumber]]),
    row('birthday', basic.birthday, sameText, [
      ['pan', read.panBirthday],
      ['aadhaar', read.aadhaarBirthday],
    ]),
    row('sex', basic.sex, sameText, [['aadhaar', read.aadhaarSex]]),
    row('address', basic.residentialAddress, sameText, [['aadhaar', read.aadhaarAddress]]),
    // the account must be the applicant's own: what the bank says is held against his name as well as against what he typed
    row(
      'holder',
      bankCard?.holder ?? null,
      (entered, held) => sameName(entered, held) && sameName(basic.name, held),
      [['bank', read.bankHolder]],
    ),
  ]
  return rows.filter((one) => one.entered !== null || one.read.length > 0)
}

/** Differences first, each group in its own order. */
export function differencesFirst(rows: readonly CompareRow[]): CompareRow[] {
  return [
    ...rows.filter((one) => one.verdict === 'differs'),
    ...rows.filter((one) => one.verdict !== 'differs'),
  ]
}

type Same = (entered: string, read: string) => boolean

function row(
  field: CompareRow['field'],
  entered: string | null,
  same: Same,
  documents: readonly (readonly [Source, string | null])[],
): CompareRow {
  const read = documents.flatMap(([source, value]) =>
    value === null || value === ''
      ? []
      : [{ source, value, differs: entered === null || !same(entered, value) }],
  )
  return {
    field,
    entered,
    read,
    verdict: read.length === 0 ? 'unread' : read.some((one) => one.differs) ? 'differs' : 'match',
  }
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.,'-]+/g, ' ')
    .trim()
}

const sameText: Same = (entered, read) => plain(entered) === plain(read)

/** Order of the parts does not matter on Indian documents: `SHARMA PRIYA` is Priya Sharma. */
const sameName: Same = (entered, read) => parts(entered) === parts(read)

function parts(name: string): string {
  return plain(name).split(' ').sort().join(' ')
}
