import Type from 'typebox'
import {
  endpoint,
  type FileRule,
  Id,
  Nullable,
  OneOf,
  Paise,
  Text,
  Version,
} from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { CUSTOMER_CLASSES } from './product-terms.ts'

/** Loan products and their terms. Existing orders keep the terms they were made with. */
const text = Type.String()
const int = Type.Integer()
const strict = { additionalProperties: false }
const menu = 'product_config'
export const PRODUCT_STATUSES = ['enabled', 'disabled'] as const
export const PRODUCT_KINDS = ['even', 'emi'] as const
export const FEE_TYPES = ['fixed', 'rate'] as const
export const MAX_RANGES = 20
export const LOGO_FILE = {
  name: 'logo',
  least: 0,
  most: 1,
  bytes: 1_048_576,
  kinds: ['png', 'jpg'],
  refusal: 'products:fault.logoKind',
} as const satisfies FileRule
/** The filled template with the first terms of a new product. */
export const TERMS_FILE = {
  name: 'template',
  least: 0,
  most: 1,
  bytes: 1_048_576,
  kinds: ['xlsx'],
  refusal: 'products:fault.templateKind',
} as const satisfies FileRule

const basisPoints = () => Type.Integer({ minimum: 0, maximum: 10_000 })
const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
const money = (minimum: number) => Paise({ minimum, maximum: 100_000_000_000 })

export const ProductRow = Type.Object({
  productId: text,
  name: text,
  /** Repaid in even instalments, or in equated monthly ones whose terms are EMI parameters. */
  kind: OneOf(PRODUCT_KINDS),
  /** Basis points a year of an EMI product. */
  annualRate: Nullable(int),
  appId: text,
  appName: text,
  merchantId: Nullable(text),
  merchantName: Nullable(text),
  minAmount: int,
  maxAmount: int,
  tenureDays: int,
  periods: int,
  daysPerPeriod: int,
  serviceRate: int,
  dailyRate: int,
  coolingOffDays: int,
  microfinance: Type.Boolean(),
  description: text,
  status: OneOf(PRODUCT_STATUSES),
  sort: int,
  updateTime: text,
  /** Applications not paid out yet: they wait while the product is inactive. */
  openOrders: int,
  logoFileId: Nullable(text),
  version: int,
})

export const listProducts = endpoint({
  method: 'POST',
  path: '/product/page',
  access: ['product_config:view'],
  menu,
  input: Type.Object(
    {
      ...ListInput({}).properties,
      name: Type.Optional(Text(1, 60)),
      appId: Type.Optional(Id()),
      merchantId: Type.Optional(Id()),
      status: Type.Optional(OneOf(PRODUCT_STATUSES)),
    },
    strict,
  ),
  data: ListData(ProductRow),
  summary: 'Loan products',
})

export const productOptions = endpoint({
  method: 'GET',
  path: '/product/options',
  access: ['product_config:view'],
  menu,
  input: Type.Object({}),
  data: Type.Object({ apps: Type.Array(Type.Object({ id: text, name: text })) }),
  summary: 'Apps for the filters and the form',
})

export const listMerchants = endpoint({
  method: 'GET',
  path: '/merchant/list',
  access: ['product_config:view', 'app_management:view'],
  menu,
  input: Type.Object({ name: Type.Optional(Text(1, 60)) }),
  data: Type.Array(
    Type.Object({
      merchantId: text,
      name: text,
      licenceNo: Nullable(text),
      status: OneOf(PRODUCT_STATUSES),
      productIds: Type.Array(text),
    }),
  ),
  summary: 'Merchants, which lend, and the products linked to each',
})

const productFields = {
  name: Text(2, 60),
  appId: Id(),
  merchantId: Id(),
  minAmount: money(100),
  maxAmount: money(100),
  /** Number of instalments × days of each. */
  tenureDays: whole(1, 365),
  periods: whole(1, 36),
  daysPerPeriod: whole(1, 365),
  serviceRate: basisPoints(),
  dailyRate: basisPoints(),
  coolingOffDays: whole(1, 30),
  microfinance: Type.Boolean(),
  description: Type.Optional(Text(0, 500)),
  sort: Type.Optional(whole(0, 9_999)),
}

export const addProduct = endpoint({
  method: 'POST',
  path: '/product/add',
  access: ['product_config:add'],
  menu,
  input: Type.Object(productFields, strict),
  files: [LOGO_FILE, TERMS_FILE],
  data: Type.Object({ productId: text }),
  audit: 'add',
  idempotency: 'required',
  summary:
    'Adds a product, with the terms of its workbook if one comes along; it is off until it is switched on',
})
export const editProduct = endpoint({
  method: 'POST',
  path: '/product/edit',
  access: ['product_config:edit'],
  menu,
  input: Type.Object(
    {
      productId: Id(),
      version: Version(),
      ...productFields,
      /** A new logo replaces the old one; this removes it. */ removeLogo: Type.Optional(
        Type.Boolean(),
      ),
    },
    strict,
  ),
  files: LOGO_FILE,
  data: ProductRow,
  audit: 'edit',
  summary: 'Changes a product, for new orders only',
})
export const productLogo = endpoint({
  method: 'GET',
  path: '/product/logo',
  access: ['product_config:view'],
  menu,
  input: Type.Object({ productId: Id(), fileId: Id() }),
  // a file answer, no envelope
  data: Type.Unknown(),
  summary:
    'The logo of a product as it was sent in: it shows no person, so it carries no mark and nobody is logged',
})
export const productTemplate = endpoint({
  method: 'GET',
  path: '/product/download/product/template',
  access: ['product_config:template'],
  menu,
  /** English when omitted. */
  input: Type.Object({ language: Type.Optional(OneOf(LANGUAGES)) }),
  // a file answer, no envelope
  data: Type.Null(),
  summary:
    "The workbook in which a new product's limits, fines and extension are filled in, in the language of its reader",
})
export const setProductStatus = endpoint({
  method: 'PUT',
  path: '/product/edit/status',
  access: ['product_config:status'],
  menu,
  input: Type.Object(
    { productId: Id(), version: Version(), status: OneOf(PRODUCT_STATUSES) },
    strict,
  ),
  data: ProductRow,
  audit: 'status',
  summary: 'Switches a product; off takes no applications and pays none out',
})
export const refreshProducts = endpoint({
  method: 'GET',
  path: '/product/redisRefresh',
  access: ['product_config:refresh'],
  menu,
  input: Type.Object({}),
  data: Type.Object({ count: int }),
  audit: 'refresh',
  summary: 'Makes every open console read the products again',
})

const quota = Type.Array(
  Type.Object(
    {
      customerClass: OneOf(CUSTOMER_CLASSES),
      orderNoFrom: whole(1, 10_000),
      orderNoTo: Nullable(whole(1, 10_000)),
      limit: money(100),
      term: whole(1, 36),
    },
    strict,
  ),
  { maxItems: MAX_RANGES },
)
const penalty = Type.Array(
  Type.Object(
    {
      dayFrom: whole(1, 10_000),
      dayTo: Nullable(whole(1, 10_000)),
      rate: basisPoints(),
      capRatio: Nullable(basisPoints()),
    },
    strict,
  ),
  { maxItems: MAX_RANGES },
)
const extend = Type.Object(
  {
    enabled: Type.Boolean(),
    days: whole(1, 365),
    feeType: OneOf(FEE_TYPES),
    fee: money(0),
    commission: money(0),
    maxTimes: whole(1, 2),
  },
  strict,
)

const ofProduct = Type.Object({ productId: Id() })
export const productQuota = endpoint({
  method: 'GET',
  path: '/product/get/quota',
  access: ['product_config:view'],
  menu,
  input: ofProduct,
  data: Type.Object({ quota, version: int }),
  summary: 'Limits and terms by class and number of the loan',
})
export const productPenalty = endpoint({
  method: 'GET',
  path: '/product/get/penalty',
  access: ['product_config:view'],
  menu,
  input: ofProduct,
  data: Type.Object({ penalty, version: int }),
  summary: 'Penalty terms for overdue days',
})
export const productExtension = endpoint({
  method: 'GET',
  path: '/product/get/extend',
  access: ['product_config:view'],
  menu,
  input: ofProduct,
  data: Type.Object({ extend, version: int }),
  summary: 'Terms of an extension',
})

const changed = { productId: Id(), version: Version() }
export const editQuota = endpoint({
  method: 'POST',
  path: '/product/edit/quota',
  access: ['product_config:quota'],
  menu,
  input: Type.Object({ ...changed, quota }, strict),
  data: ProductRow,
  audit: 'quota',
  summary: 'Sets limits and terms by class and number of the loan, for new orders',
})
export const editPenalty = endpoint({
  method: 'POST',
  path: '/product/edit/penalty',
  access: ['product_config:penalty'],
  menu,
  input: Type.Object({ ...changed, penalty }, strict),
  data: ProductRow,
  audit: 'penalty',
  summary: 'Sets the penalty terms for overdue days, for new orders',
})
export const editExtension = endpoint({
  method: 'POST',
  path: '/product/edit/extend',
  access: ['product_config:extend'],
  menu,
  input: Type.Object({ ...changed, extend }, strict),
  data: ProductRow,
  audit: 'extend',
  summary: 'Sets the terms of an extension, for new orders',
})

export const linkProducts = endpoint({
  method: 'POST',
  path: '/merchant/product/add',
  access: ['product_config:merchant'],
  menu,
  input: Type.Object(
    {
      merchantId: Id(),
      productIds: Type.Array(Id(), { minItems: 1, maxItems: 500, uniqueItems: true }),
    },
    strict,
  ),
  data: Type.Object({ count: int }),
  audit: 'merchant',
  summary: 'Links products to a merchant',
})

export const unlinkProducts = endpoint({
  method: 'POST',
  path: '/merchant/product/remove',
  access: ['product_config:merchant'],
  menu,
  input: linkProducts.input,
  data: Type.Object({ count: int }),
  audit: 'merchant',
  summary: 'Ends links: apps of the merchant no longer offer these products, orders go on',
})
