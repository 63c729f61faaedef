/**
 * Reference rows of the demo lender. Money in paise, rates in basis points (`dailyRate` and
 * `penaltyRate` per day).
 */
import type { ProductExtension } from '#shared/products/product-terms.ts'

export const CHANNELS = [
  { id: 'CH001', code: 'organic', name: 'Organic', kind: 'organic' },
  { id: 'CH002', code: 'playStore', name: 'Play Store search', kind: 'paid' },
  { id: 'CH003', code: 'social', name: 'Social campaigns', kind: 'paid' },
  { id: 'CH004', code: 'partner', name: 'Partner stores', kind: 'partner' },
  { id: 'CH005', code: 'referral', name: 'Friend referral', kind: 'referral' },
] as const

export const APP_GROUPS = [{ id: 'AG001', name: 'Consumer apps' }] as const

export const APPS = [
  {
    id: 'AP001',
    code: 'rupeenest',
    name: 'RupeeNest',
    groupId: 'AG001',
    merchantId: 'MC101',
    package: 'in.rupeenest.app',
    appVersion: '4.2.0',
    minVersion: '3.8.0',
    storeUrl: 'https://play.example.com/store/apps/details?id=in.rupeenest.app',
    privacyUrl: 'https://rupeenest.example.com/privacy',
    servicePhone: '18002090001',
  },
  {
    id: 'AP002',
    code: 'saralcash',
    name: 'SaralCash',
    groupId: 'AG001',
    merchantId: 'MC102',
    package: 'in.saralcash.app',
    appVersion: '2.9.1',
    minVersion: '2.5.0',
    storeUrl: 'https://play.example.com/store/apps/details?id=in.saralcash.app',
    privacyUrl: 'https://saralcash.example.com/privacy',
    servicePhone: '18002090002',
  },
] as const

export interface Product {
  id: string
  appId: string
  name: string
  minAmount: number
  maxAmount: number
  tenureDays: number
  periods: number
  daysPerPeriod: number
  serviceRate: number
  dailyRate: number
  penaltyRate: number
  coolingOffDays: number
  sort: number
}

/** Who lends: one licence for each app. */
export const MERCHANTS = [
  { id: 'MC101', name: 'Nest Finserv', licenceNo: 'N-13.02214', appId: 'AP001' },
  { id: 'MC102', name: 'Saral Capital', licenceNo: 'N-14.03318', appId: 'AP002' },
] as const

/** Each app has a short, a middle and a long one, in this order. */
export const PRODUCTS: readonly Product[] = [
  {
    id: 'PR001',
    appId: 'AP001',
    name: 'Quick 7',
    minAmount: 200_000,
    maxAmount: 1_500_000,
    tenureDays: 7,
    periods: 1,
    daysPerPeriod: 7,
    serviceRate: 250,
    dailyRate: 9,
    penaltyRate: 15,
    coolingOffDays: 1,
    sort: 1,
  },
  {
    id: 'PR002',
    appId: 'AP002',
    name: 'Salary 15',
    minAmount: 300_000,
    maxAmount: 3_000_000,
    tenureDays: 15,
    periods: 1,
    daysPerPeriod: 15,
    serviceRate: 250,
    dailyRate: 8,
    penaltyRate: 12,
    coolingOffDays: 1,
    sort: 2,
  },
  {
    id: 'PR003',
    appId: 'AP001',
    name: 'Flexi 30',
    minAmount: 500_000,
    maxAmount: 5_000_000,
    tenureDays: 30,
    periods: 1,
    daysPerPeriod: 30,
    serviceRate: 200,
    dailyRate: 7,
    penaltyRate: 10,
    coolingOffDays: 3,
    sort: 3,
  },
  {
    id: 'PR004',
    appId: 'AP002',
    name: 'Step 45',
    minAmount: 800_000,
    maxAmount: 8_000_000,
    tenureDays: 45,
    periods: 3,
    daysPerPeriod: 15,
    serviceRate: 200,
    dailyRate: 7,
    penaltyRate: 10,
    coolingOffDays: 3,
    sort: 4,
  },
  {
    id: 'PR005',
    appId: 'AP001',
    name: 'Easy 90',
    minAmount: 1_500_000,
    maxAmount: 15_000_000,
    tenureDays: 90,
    periods: 3,
    daysPerPeriod: 30,
    serviceRate: 200,
    dailyRate: 6,
    penaltyRate: 8,
    coolingOffDays: 3,
    sort: 5,
  },
  {
    id: 'PR006',
    appId: 'AP002',
    name: 'Easy 180',
    minAmount: 3_000_000,
    maxAmount: 20_000_000,
    tenureDays: 180,
    periods: 6,
    daysPerPeriod: 30,
    serviceRate: 150,
    dailyRate: 5,
    penaltyRate: 8,
    coolingOffDays: 3,
    sort: 6,
  },
]

/**
 * Keys of the demo's customer app, machine review, payout vendor and payment channel; only in demo
 * data.
 */
export const DEMO_MACHINE_KEYS = [
  {
    id: 'demo-application',
    name: 'application:demo',
    secret: 'demo-application-secret-2026',
    scopes: ['application'],
  },
  {
    id: 'demo-machine-review',
    name: 'machineReview:demo',
    secret: 'demo-machine-review-secret-2026',
    scopes: ['machineReview'],
  },
  { id: 'demo-payout', name: 'payout:demo', secret: 'demo-payout-secret-2026', scopes: ['payout'] },
  {
    id: 'demo-payment',
    name: 'payment:demo',
    secret: 'demo-payment-secret-2026',
    scopes: ['payment'],
  },
] as const

/**
 * The fee that the demo's extensions were paid with: 4 % of the principal, of it 15 % commission.
 */
export function extensionOf({ tenureDays }: Product): ProductExtension {
  return { enabled: true, days: tenureDays, feeType: 'rate', fee: 400, commission: 60, maxTimes: 2 }
}
