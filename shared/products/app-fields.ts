/** Fields of the configuration an app delivers to its installations. */
import Type from 'typebox'
import { APP_VERSION_PATTERN } from './app-version.ts'

export const appVersion = () =>
  Type.String({ maxLength: 23, pattern: APP_VERSION_PATTERN, fault: 'products:app.fault.version' })

/** Only addresses a telephone opens in its browser or store; no user name is before the host. */
export const webAddress = () =>
  Type.String({
    maxLength: 300,
    pattern: '^https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?([/?#][^\\s"<>]*)?$',
    fault: 'products:app.fault.url',
  })

export const packageName = () =>
  Type.String({
    maxLength: 120,
    pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$',
    fault: 'products:app.fault.package',
  })

export const servicePhone = () =>
  Type.String({
    maxLength: 16,
    pattern: '^\\+?[0-9]{3,15}$',
    fault: 'products:app.fault.phone',
  })
