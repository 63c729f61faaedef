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
import { admission } from './routing/breaker.ts'
import { candidatesFor } from './routing/choose-vendor.ts'
import { openConfiguration } from './routing/configurations.ts'
import { watchedCall } from './routing/watched-call.ts'

export function messageVendorsOf(
  context: AppContext,
  installation: MessageVendor | null,
  { allowPrivate }: { allowPrivate: boolean },
): MessageVendor {
  const { kysely } = context.database
  const opened = new Map<string, MessageVendor>()

  async function vendorOf(cfgId: string): Promise<MessageVendor> {
    const known = opened.get(cfgId)
    if (known) return known
    const found = await openConfiguration(kysely, context.secrets, cfgId)
    if (found === null) throw new TypeError(`configuration ${cfgId} does not exist`)
    const { vendorCode: code, sandbox, baseUrl, timeoutMs, values } = found
    const { keyId = '', secret = '' } = values
    const vendor = sandbox
      ? sandboxMessageVendor(code)
      : httpMessageVendor({ code, baseUrl, keyId, secret, timeoutMs, allowPrivate })
    opened.set(cfgId, vendor)
    return vendor
  }
  return {
    code: installation?.code ?? 'none',
    servesAll: installation !== null,
    async send(message) {
      const { appId, way, key } = message
      const candidates =
        appId === undefined ? [] : await candidatesFor(kysely, { appId, kind: kindOf(way), key })
      if (candidates.length === 0) {
        if (installation === null) throw new Error('the app has no vendor of messages')
        return installation.send(message)
      }
      for (const { cfgId } of candidates) {
        if ((await admission(kysely, cfgId)) === 'no') continue
        const vendor = await vendorOf(cfgId)
        try {
          return await watchedCall(
            context,
            cfgId,
            () => vendor.send(message),
            ({ accepted }) => ({ outcome: accepted ? 'ok' : 'refused', error: null }),
          )
        } catch (error) {
          // only one that certainly did not take it is passed over: nobody is told twice
          if (!(error instanceof NotReached)) throw error
        }
      }
      throw new Error('no vendor of the app can be reached')
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
