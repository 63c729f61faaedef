import { httpMessageVendor, type HttpMessageSettings } from './http-message-vendor.ts'
import { type MessageVendor, sandboxMessageVendor } from './message-vendor.ts'

/** `none`: nobody is told, so cases of outside agencies wait for their first contact. */
export type MessageSettings =
  | { kind: 'none' }
  | { kind: 'sandbox' }
  | ({ kind: 'http' } & HttpMessageSettings)

export function messageVendorOf(settings: MessageSettings): MessageVendor | null {
  if (settings.kind === 'none') return null
  return settings.kind === 'http' ? httpMessageVendor(settings) : sandboxMessageVendor()
}
