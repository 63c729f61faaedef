/**
 * Vendors that say what is known of an applicant elsewhere: the identity register (`kyc`) and the
 * credit bureau. Asking twice does no harm, so after any failure the next vendor is asked. By HTTP:
 * `POST {baseUrl}/identities` and `POST {baseUrl}/reports`, signed as machine calls are
 * (kernel/machine-signature.ts).
 */
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { CheckKind } from '#shared/vendors/vendor-kinds.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { OpenConfiguration } from './routing/configurations.ts'
import { type Answered, vendorsOfKind } from './routing/vendors-of-kind.ts'
import { digestOf } from './sandbox-fate.ts'
import { signedCall } from './signed-call.ts'

export interface Applicant {
  /** Ours, for the vendor's own records. */
  checkId: string
  name: string
  pan: string
  /** IST day, null: not stated. */
  birthday: string | null
  /** Ten digits, India. */
  phone: string
}

/** What the register of PANs answers. */
export const IdentityAnswer = Type.Object({
  /** It exists, and belongs to a living person. */
  panValid: Type.Boolean(),
  /** How alike the name is to that of the register, in per cent. */
  nameMatch: Type.Integer({ minimum: 0, maximum: 100 }),
})
/** What a credit bureau answers; of a person it does not know every value is null or 0. */
export const BureauAnswer = Type.Object({
  score: Type.Union([Type.Integer({ minimum: 0, maximum: 999 }), Type.Null()]),
  /** Loans that are open, at any lender. */
  openLoans: Type.Integer({ minimum: 0, maximum: 10_000 }),
  /** Paise that are overdue over all of them. */
  overdueAmount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})
export interface CheckAnswers {
  kyc: Static<typeof IdentityAnswer>
  bureau: Static<typeof BureauAnswer>
}

export interface CheckVendors {
  /**
   * Null: the app has no vendor of this kind.
   * @throws Error when none of its vendors answers
   */
  check<Kind extends CheckKind>(
    kind: Kind,
    appId: string,
    applicant: Applicant,
  ): Promise<Answered<CheckAnswers[Kind]> | null>
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Vendors {
    checks: CheckVendors
  }
}

type Check<Kind extends CheckKind> = (applicant: Applicant) => Promise<CheckAnswers[Kind]>

export function checkVendorsOf(
  context: AppContext,
  { allowPrivate }: { allowPrivate: boolean },
): CheckVendors {
  const of = {
    kyc: vendorsOfKind<Check<'kyc'>>(context, (configuration) =>
      configuration.sandbox
        ? sandboxIdentity
        : ({ checkId, name, pan, birthday }) =>
            post(configuration, '/identities', { checkId, name, pan, birthday }, IdentityAnswer),
    ),
    bureau: vendorsOfKind<Check<'bureau'>>(context, (configuration) =>
      configuration.sandbox
        ? sandboxBureau
        : (applicant) => post(configuration, '/reports', { ...applicant }, BureauAnswer),
    ),
  }
  async function post<Schema extends TSchema>(
    { vendorCode: code, baseUrl, timeoutMs, values }: OpenConfiguration,
    path: string,
    body: object,
    schema: Schema,
  ): Promise<Static<Schema>> {
    const { keyId = '', secret = '' } = values
    const vendor = { code, baseUrl, keyId, secret, timeoutMs, allowPrivate }
    const { status, answer } = await signedCall(vendor, 'POST', path, JSON.stringify(body))
    if (status === 200 && Compile(schema).Check(answer)) return answer
    throw new Error(`${code} answered ${status}`)
  }
  return {
    check: (kind, appId, applicant) =>
      of[kind].ask(
        { appId, kind, key: applicant.checkId },
        {
          ask: (vendor) => vendor(applicant) as Promise<CheckAnswers[typeof kind]>,
          judge: () => ({ outcome: 'ok', error: null }),
          mayPass: () => true,
        },
      ),
  }
}

/** Nine in ten people are whom they say; the same person always gets the same answer. */
function sandboxIdentity({ pan }: Applicant): Promise<CheckAnswers['kyc']> {
  const drawn = draw(pan, 'identity')
  const panValid = drawn % 100 >= 3
  return Promise.resolve({
    panValid,
    nameMatch: panValid && drawn % 10 > 0 ? 90 + (drawn % 11) : 40,
  })
}

/** One in eight is not known; the others have 500 to 849 points. */
function sandboxBureau({ pan }: Applicant): Promise<CheckAnswers['bureau']> {
  const drawn = draw(pan, 'bureau')
  if (drawn % 8 === 0) return Promise.resolve({ score: null, openLoans: 0, overdueAmount: 0 })
  const score = 500 + (drawn % 350)
  return Promise.resolve({
    score,
    openLoans: drawn % 5,
    overdueAmount: score < 600 ? 250_000 + (drawn % 40) * 10_000 : 0,
  })
}

function draw(pan: string, use: string): number {
  return digestOf(pan, use).readUInt32BE()
}
