/**
 * Vendors that collect: each makes a page where the amount of a payment link is paid. The payment
 * comes by /inbound/payment with the link's id as its `vendorOrderNo`. By HTTP: `POST
 * {baseUrl}/links`, signed as machine calls are (kernel/machine-signature.ts). A borrower is sent one
 * address only, so after any failure the next vendor is asked; the same link gives the same page.
 */
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { OpenConfiguration } from './routing/configurations.ts'
import { type Answered, vendorsOfKind } from './routing/vendors-of-kind.ts'
import { signedCall } from './signed-call.ts'

export interface LinkToPay {
  linkId: string
  orderId: string
  /** Paise. */
  amount: number
  /** When it can no longer be paid. */
  expires: string
}

const Page = Type.Object({
  url: Type.String({ maxLength: 500, pattern: '^https://[^\\s"<>]+$' }),
})
export type PaymentPage = Static<typeof Page>

export interface PageVendors {
  /**
   * Null: the app has no vendor that collects.
   * @throws Error when none of its vendors makes the page
   */
  make(appId: string, link: LinkToPay): Promise<Answered<PaymentPage> | null>
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Vendors {
    pages: PageVendors
  }
}

const Made = Compile(Page)

export function pageVendorsOf(
  context: AppContext,
  { allowPrivate }: { allowPrivate: boolean },
): PageVendors {
  const vendors = vendorsOfKind(
    context,
    (configuration) => (link: LinkToPay) =>
      configuration.sandbox
        ? Promise.resolve({ url: `${configuration.baseUrl}/pay/${link.linkId}` })
        : makePage(configuration, link, allowPrivate),
  )
  return {
    make: (appId, link) =>
      vendors.ask(
        { appId, kind: 'collect', key: link.linkId },
        {
          ask: (make) => make(link),
          judge: () => ({ outcome: 'ok', error: null }),
          mayPass: () => true,
        },
      ),
  }
}

async function makePage(
  { vendorCode: code, baseUrl, timeoutMs, values }: OpenConfiguration,
  link: LinkToPay,
  allowPrivate: boolean,
): Promise<PaymentPage> {
  const { keyId = '', secret = '' } = values
  const vendor = { code, baseUrl, keyId, secret, timeoutMs, allowPrivate }
  const { status, answer } = await signedCall(vendor, 'POST', '/links', JSON.stringify(link))
  if (status === 200 && Made.Check(answer)) return answer
  throw new Error(`${code} answered ${status}`)
}
