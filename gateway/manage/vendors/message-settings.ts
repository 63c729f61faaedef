import { httpMessageVendor, type HttpMessageSettings } from './http-message-vendor.ts'
import { type MessageVendor, sandboxMessageVendor } from './message-vendor.ts'

/** `none`: nothing is sent, so cases of outside agencies wait for their first contact. */
export type MessageSettings =
  | { kind: 'none' }
  | { kind: 'sandbox' }
  | ({ kind: 'http' } & HttpMessageSettings)

export function messageVendorOf(
  settings: MessageSettings,
  { allowPrivate }: { allowPrivate: boolean },
): MessageVendor | null {
  if (settings.kind === 'none') return null
  return settings.kind === 'http'
    ? httpMessageVendor({ ...settings, allowPrivate })
    : sandboxMessageVendor()
}
