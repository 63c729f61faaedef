import { sql } from 'kysely'
import { CUSTOMERS_MENU } from '#shared/customers/customers-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { sealedFile } from '#gateway/manage/kernel/kept-files.ts'
import { blacklistJob, unblacklistJob } from './blacklist/change-blacklist.ts'
import { CUSTOMERS_AUDIENCE } from './customers-audience.ts'
import { customersRoutes } from './customers-routes.ts'
import { customerData } from './erasure/customer-data.ts'
import { erasureClass } from './erasure/erasure-job.ts'
import { erasureNotice } from './erasure/erasure-notice-job.ts'

export const customers: Feature = {
  menu: CUSTOMERS_MENU,
  audience: CUSTOMERS_AUDIENCE,
  sealed: [
    { place: 'customer.phone_enc', table: 'customer', column: 'phone_enc' },
    { place: 'customer.pan_enc', table: 'customer', column: 'pan_enc' },
    { place: 'customer.address_enc', table: 'customer', column: 'address_enc' },
    { place: 'customer.email_enc', table: 'customer', column: 'email_enc' },
    { place: 'customer_contact.phone_enc', table: 'customer_contact', column: 'phone_enc' },
    { place: 'bank_card.account_enc', table: 'bank_card', column: 'account_enc' },
    sealedFile('photo'),
  ],
  hooks: {
    personalData: [customerData],
    ownedFiles: [
      {
        customerOf: sql`(select p.customer_id from customer_photo p where p.file_id = o.id limit 1)`,
      },
    ],
  },
  schedules: ({ hooked, vendors: { messages } }) => [
    erasureClass(hooked('personalData')),
    ...(messages ? [erasureNotice(messages)] : []),
  ],
  jobTypes: [blacklistJob, unblacklistJob],
  routes: (base, { context }) => customersRoutes(base, context),
}
