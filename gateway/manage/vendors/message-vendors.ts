/**
 * Sends each message through the vendor of its app: SMS and e-mail by the services for SMS, WhatsApp
 * by its own. An app without services is served by the vendor of the installation.
 */
import { type RawBuilder, sql } from 'kysely'
import { NotReached } from '#gateway/kernel/outbound-call.ts'
import type { VendorKind } from '#shared/vendors/vendor-kinds.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { httpMessageVendor } from './http-message-vendor.ts'
import { type MessageVendor, type OutgoingMessage, sandboxMessageVendor } from './message-vendor.ts'
import { vendorsOfKind } from './routing/vendors-of-kind.ts'

export function messageVendorsOf(
  context: AppContext,
  installation: MessageVendor | null,
  { allowPrivate }: { allowPrivate: boolean },
): MessageVendor {
  const vendors = vendorsOfKind(context, (configuration): MessageVendor => {
    const { vendorCode: code, sandbox, baseUrl, timeoutMs, values } = configuration
    const { keyId = '', secret = '' } = values
    return sandbox
      ? sandboxMessageVendor(code)
      : httpMessageVendor({ code, baseUrl, keyId, secret, timeoutMs, allowPrivate })
  })
  return {
    code: installation?.code ?? 'none',
    servesAll: installation !== null,
    async send(message) {
      const { appId, way, key } = message
      const answered =
        appId === undefined
          ? null
          : await vendors.ask(
              { appId, kind: kindOf(way), key },
              {
                ask: (vendor) => vendor.send(message),
                judge: ({ accepted }) => ({ outcome: accepted ? 'ok' : 'refused', error: null }),
                // only one that certainly did not take it is passed over: nobody is sent a message twice
                mayPass: (error) => error instanceof NotReached,
              },
            )
      if (answered !== null) return answered.answer
      if (installation === null) throw new Error('the app has no vendor of messages')
      return installation.send(message)
    },
  }
}

function kindOf(way: OutgoingMessage['way']): VendorKind {
  return way === 'whatsapp' ? 'whatsapp' : 'sms'
}

/**
 * Whether somebody can send a message to customers of an app; what nobody can send waits.
 * @param appId column with the app's id
 */
export function canSend(
  { servesAll = true }: MessageVendor,
  way: OutgoingMessage['way'] | RawBuilder<unknown>,
  appId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (servesAll) return sql<boolean>`true`
  const kind =
    typeof way === 'string'
      ? sql`${kindOf(way)}`
      : sql`case when ${way} = 'whatsapp' then 'whatsapp' else 'sms' end`
  return sql<boolean>`exists (select 1 from tp_app_cfg s where s.app_id = ${appId}
    and s.kind = ${kind} and s.status = 'enabled')`
}
