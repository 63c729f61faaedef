/** Compares the entered values with those read from the documents, row by row. Pure. */
import type { CustomerSections } from '../review-types.ts'

export type Source = 'pan' | 'aadhaar' | 'bank'
export interface CompareRow {
  /** i18n key below `review:field`. */
  field: 'name' | 'pan' | 'aadhaar' | 'birthday' | 'sex' | 'address' | 'holder'
  entered: string | null
  /** Values by document that shows the field. */
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
    // the account must be the applicant's own, so the bank's name is compared with the applicant's
    // name as well as with the typed holder
    row(
      'holder',
      bankCard?.holder ?? null,
      (entered, held) => sameName(entered, held) && sameName(basic.name, held),
      [['bank', read.bankHolder]],
    ),
  ]
  return rows.filter((one) => one.entered !== null || one.read.length > 0)
}

/** Differences first; each group keeps its order. */
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

/** The order of name parts varies on Indian documents: `SHARMA PRIYA` is Priya Sharma. */
const sameName: Same = (entered, read) => parts(entered) === parts(read)

function parts(name: string): string {
  return plain(name).split(' ').toSorted().join(' ')
}
