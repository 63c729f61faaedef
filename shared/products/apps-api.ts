import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { appVersion, packageName, servicePhone, webAddress } from './app-fields.ts'
import { APP_UPDATES } from './app-version.ts'
import { EmiConfigFields, EmiInfo } from './emi-api.ts'
import { PRODUCT_STATUSES } from './products-api.ts'

/**
 * Customer apps and their groups. `version` is the version of the row, as everywhere; the version
 * of the app that is in the store is `appVersion`.
 */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const menu = 'app_management'

const shown = {
  appId: text,
  name: text,
  code: text,
  groupId: maybe,
  merchantId: maybe,
  package: text,
  appVersion: text,
  minVersion: text,
  forceUpdate: Type.Boolean(),
  storeUrl: maybe,
  privacyUrl: maybe,
  servicePhone: maybe,
  status: OneOf(PRODUCT_STATUSES),
  version: int,
}

export const AppRow = Type.Object({
  ...shown,
  groupName: maybe,
  merchantName: maybe,
  /** Products that customers of the app can apply for now. */
  offered: int,
  updateTime: text,
})

const GroupRow = Type.Object({ groupId: text, name: text, remark: text, apps: int })

export const listGroups = endpoint({
  method: 'GET',
  path: '/app/group/list',
  access: ['app_management:view'],
  menu,
  input: Type.Object({}),
  data: Type.Array(GroupRow),
  summary: 'Groups of apps',
})

export const addGroup = endpoint({
  method: 'POST',
  path: '/app/add/group',
  access: ['app_management:group'],
  menu,
  input: Type.Object({ name: Text(2, 60), remark: Type.Optional(Text(0, 200)) }, strict),
  data: Type.Object({ groupId: text }),
  audit: 'group',
  summary: 'Adds a group of apps',
})

export const listApps = endpoint({
  method: 'POST',
  path: '/app/page',
  access: ['app_management:view'],
  menu,
  input: Type.Object(
    {
      ...ListInput({}).properties,
      name: Type.Optional(Text(1, 60)),
      groupId: Type.Optional(Id()),
      status: Type.Optional(OneOf(PRODUCT_STATUSES)),
    },
    strict,
  ),
  data: ListData(AppRow),
  summary: 'Customer apps',
})

const fields = {
  name: Text(2, 60),
  code: Type.String({
    minLength: 2,
    maxLength: 30,
    pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
    fault: 'products:app.fault.code',
  }),
  groupId: Id(),
  merchantId: Id(),
  package: packageName(),
  appVersion: appVersion(),
  minVersion: appVersion(),
  forceUpdate: Type.Boolean(),
  storeUrl: Type.Optional(webAddress()),
  privacyUrl: webAddress(),
  servicePhone: Type.Optional(servicePhone()),
  status: OneOf(PRODUCT_STATUSES),
}

const FormModel = Type.Object({
  values: Type.Object(shown),
  groups: Type.Array(Type.Object({ id: text, name: text })),
  /** Those that are on, and the app's own. */
  merchants: Type.Array(Type.Object({ id: text, name: text })),
})

export const newAppForm = endpoint({
  method: 'GET',
  path: '/app/get/addCfgApp',
  access: ['app_management:add'],
  menu,
  input: Type.Object({ groupId: Type.Optional(Id()) }),
  data: FormModel,
  summary: 'The form of a new app with its defaults',
})

export const appForm = endpoint({
  method: 'GET',
  path: '/app/get/editCfgApp',
  access: ['app_management:edit'],
  menu,
  input: Type.Object({ appId: Id() }),
  data: FormModel,
  summary: 'The form of an app with its values',
})

export const addApp = endpoint({
  method: 'POST',
  path: '/app/add',
  access: ['app_management:add'],
  menu,
  input: Type.Object(fields, strict),
  data: Type.Object({ appId: text }),
  audit: 'add',
  summary: 'Adds an app',
})

export const editApp = endpoint({
  method: 'POST',
  path: '/app/edit',
  access: ['app_management:edit'],
  menu,
  input: Type.Object({ appId: Id(), version: Version(), ...fields }, strict),
  data: Type.Object({ appId: text }),
  audit: 'edit',
  summary: 'Changes an app; its installations get it with their next request',
})

export const refreshApps = endpoint({
  method: 'GET',
  path: '/app/redisRefresh',
  access: ['app_management:refresh'],
  menu,
  input: Type.Object({}),
  data: Type.Object({ count: int }),
  audit: 'refresh',
  summary: 'Makes every open console read the apps again',
})

/**
 * Signed like every call of a machine; a call without body signs the query as it is in the
 * address, without its question mark.
 */
export const inboundApp = endpoint({
  method: 'GET',
  path: '/inbound/app',
  access: { machine: 'application' },
  input: Type.Object({ appId: Id(), installed: Type.Optional(appVersion()) }),
  data: Type.Object({
    appId: text,
    name: text,
    status: OneOf(PRODUCT_STATUSES),
    appVersion: text,
    minVersion: text,
    forceUpdate: Type.Boolean(),
    /** What the installed version has to do; null when it was not named. */
    update: Nullable(OneOf(APP_UPDATES)),
    storeUrl: maybe,
    privacyUrl: maybe,
    servicePhone: maybe,
    products: Type.Array(
      Type.Object({
        productId: text,
        name: text,
        description: text,
        minAmount: int,
        maxAmount: int,
        tenureDays: int,
        periods: int,
        daysPerPeriod: int,
        serviceRate: int,
        dailyRate: int,
        coolingOffDays: int,
        lender: maybe,
        /** Terms of an EMI product. */
        emi: Nullable(EmiConfigFields),
      }),
    ),
    /** Information the app shows where it lends in equated monthly instalments. */
    emi: Nullable(EmiInfo),
  }),
  summary: 'Configuration of an app for its installations: versions, addresses, products on offer',
})
