/** Reject and quality reasons. Labels: dictionaries `reject_reason` and `quality_code`. */
export const REJECT_CODES = [
  'A01',
  'A02',
  'A03',
  'A04',
  'A05',
  'A06',
  'A07',
  'A08',
  'B01',
  'B02',
  'B03',
  'B04',
  'B05',
  'B06',
  'B07',
  'C01',
  'C02',
  'C03',
  'C04',
  'C05',
  'C06',
  'Z01',
] as const
export type RejectCode = (typeof REJECT_CODES)[number]

/**
 * First letter of a reject code: photo, document, inconsistency, other (dictionary `reject_kind`).
 */
export const REJECT_KINDS = ['A', 'B', 'C', 'Z'] as const
export type RejectKind = (typeof REJECT_KINDS)[number]

type PairedCode = Exclude<RejectCode, 'Z01'>
type FailOf<Code extends PairedCode> = Code extends `${infer Kind}0${infer Digit}`
  ? `${Kind}00${Digit}`
  : never
type PassOf<Code extends PairedCode> = Code extends `${infer Kind}0${infer Digit}`
  ? `${Kind}10${Digit}`
  : never

/**
 * If point A01 was judged wrongly the code is A001, rightly A101. Z01 has no pair: its fail is
 * E001.
 */
export const QUALITY_PAIRS = {
  A01: { fail: 'A001', pass: 'A101' },
  A02: { fail: 'A002', pass: 'A102' },
  A03: { fail: 'A003', pass: 'A103' },
  A04: { fail: 'A004', pass: 'A104' },
  A05: { fail: 'A005', pass: 'A105' },
  A06: { fail: 'A006', pass: 'A106' },
  A07: { fail: 'A007', pass: 'A107' },
  A08: { fail: 'A008', pass: 'A108' },
  B01: { fail: 'B001', pass: 'B101' },
  B02: { fail: 'B002', pass: 'B102' },
  B03: { fail: 'B003', pass: 'B103' },
  B04: { fail: 'B004', pass: 'B104' },
  B05: { fail: 'B005', pass: 'B105' },
  B06: { fail: 'B006', pass: 'B106' },
  B07: { fail: 'B007', pass: 'B107' },
  C01: { fail: 'C001', pass: 'C101' },
  C02: { fail: 'C002', pass: 'C102' },
  C03: { fail: 'C003', pass: 'C103' },
  C04: { fail: 'C004', pass: 'C104' },
  C05: { fail: 'C005', pass: 'C105' },
  C06: { fail: 'C006', pass: 'C106' },
} as const satisfies { [Code in PairedCode]: { fail: FailOf<Code>; pass: PassOf<Code> } }

export type QualityFailCode = (typeof QUALITY_PAIRS)[PairedCode]['fail'] | 'E001'
export type QualityPassCode = (typeof QUALITY_PAIRS)[PairedCode]['pass']
export type QualityCode = QualityFailCode | QualityPassCode

export const QUALITY_FAIL_CODES: readonly QualityFailCode[] = [
  ...Object.values(QUALITY_PAIRS).map((pair) => pair.fail),
  'E001',
]
export const QUALITY_PASS_CODES: readonly QualityPassCode[] = Object.values(QUALITY_PAIRS).map(
  (pair) => pair.pass,
)
/** All quality codes; typed as non-empty, because the pairs above are not empty. */
export const QUALITY_CODES = [
  ...QUALITY_FAIL_CODES,
  ...QUALITY_PASS_CODES,
] as readonly QualityCode[] as readonly [QualityCode, ...QualityCode[]]

/** Class of a fail (dictionary `quality_class`). */
export const QUALITY_CLASSES = ['wrongRejection', 'wrongPass', 'other'] as const
export type QualityClass = (typeof QUALITY_CLASSES)[number]

/** A reviewer's decision on a review item. */
export type Verdict = 'passed' | 'failed'

export function isRejectCode(value: unknown): value is RejectCode {
  return (REJECT_CODES as readonly unknown[]).includes(value)
}
export function isQualityFailCode(value: unknown): value is QualityFailCode {
  return (QUALITY_FAIL_CODES as readonly unknown[]).includes(value)
}
export function isQualityPassCode(value: unknown): value is QualityPassCode {
  return (QUALITY_PASS_CODES as readonly unknown[]).includes(value)
}

export function rejectKindOf(code: RejectCode): RejectKind {
  // Every code starts with its kind.
  return code[0] as RejectKind
}

/** Z01 and E001 mean "other" and need a remark. */
export function needsRemark(code: RejectCode | QualityCode): boolean {
  return code === 'Z01' || code === 'E001'
}

/** The class of a fail follows from the checked decision; E001 is always `other`. */
export function qualityClassOf(code: QualityFailCode, decided: Verdict): QualityClass {
  if (code === 'E001') return 'other'
  return decided === 'failed' ? 'wrongRejection' : 'wrongPass'
}
