/**
 * A borrower as rows: personal values sealed and hashed as upsertCustomer does it, from the same
 * person each time.
 */
import { createHash } from 'node:crypto'
import { maskEmail, maskPan } from '#gateway/manage/features/customers/public.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import type { StaffMember } from './accounts.ts'
import type { Borrower } from './borrower.ts'
import { extractionOf } from './extraction.ts'
import type { Person } from './people.ts'
import { drawPhotos, type PhotoKind } from './photos.ts'
import { PRODUCTS } from './products.ts'
import { rngOf } from './random.ts'
import type { Batch } from './tables.ts'

export interface CustomerIds {
  customerId: string
  channelId: string
  appId: string
}

export interface CustomerContext {
  secrets: Secrets
  seed: number
  /** Writes off and blacklists. */
  manager: StaffMember | null
  /** Number of the next blacklist row. */
  nextBlacklist: () => number
  withPhotos: boolean
}

/** Campaigns of the paid channels (advertising.ts), and the weight with which they bring customers. */
const CAMPAIGNS: Readonly<Record<string, readonly (readonly [string | null, number])[]>> = {
  CH002: [
    ['Play Store brand', 50],
    ['Play Store salary loan', 35],
    [null, 15],
  ],
  CH003: [
    ['Social video festival', 55],
    ['Social lookalike', 40],
    [null, 5],
  ],
  CH004: [
    ['Partner shelf', 80],
    [null, 20],
  ],
}

function campaignOf(seed: number, index: number, channelId: string): string | null {
  const known = CAMPAIGNS[channelId]
  if (known === undefined) return null
  const drawn = rngOf(seed, 'campaign', index).weighted(known.map(([, weight]) => weight))
  return known[drawn]?.[0] ?? null
}

export function addCustomer(
  batch: Batch,
  { customerId, channelId, appId }: CustomerIds,
  person: Person,
  borrower: Borrower,
  context: CustomerContext,
): void {
  const { secrets } = context
  const { lives, registeredAt, isCertified } = borrower
  const seal = (column: string, value: string): Buffer =>
    secrets.seal(`customer.${column}`, customerId, value)
  const settled = lives.filter((life) => life.status === 40 || life.status === 41).length
  const ended = lives.find((life) => life.blacklistedAt !== null)
  const lastActive = Math.max(registeredAt, ...lives.map((life) => life.steps.at(-1)?.at ?? 0))
  const kyc = isCertified
    ? {
        pan_name: person.name,
        aadhaar_h: secrets.blindIndex('aadhaar', person.aadhaar),
        aadhaar_last4: person.aadhaar.slice(-4),
        pan_enc: seal('pan_enc', person.pan),
        pan_h: secrets.blindIndex('pan', person.pan),
        pan_masked: maskPan(person.pan),
        birthday: person.birthday,
        sex: person.sex,
        marital_status: person.maritalStatus,
        education: person.education,
        children_count: person.childrenCount,
        dwelling_state: person.dwellingState,
        profession: person.profession,
        company_name: person.companyName,
        company_address: person.companyAddress,
        address_enc: seal('address_enc', person.address),
        city: person.city,
        postcode: person.postcode,
        monthly_income: person.monthlyIncome,
        email_enc: seal('email_enc', person.email),
        email_masked: maskEmail(person.email),
      }
    : {}
  batch.add('customer', {
    id: customerId,
    name: person.name,
    phone_enc: seal('phone_enc', person.phone),
    phone_h: secrets.blindIndex('phone', person.phone),
    phone_last4: person.phone.slice(-4),
    ...kyc,
    language: person.language,
    channel_id: channelId,
    campaign: campaignOf(context.seed, borrower.index, channelId),
    app_id: appId,
    customer_class:
      lives.slice(0, -1).some((life) => life.disbursedAt !== null) || settled > 0 ? 'old' : 'new',
    certified: isCertified,
    entry_count: lives.length,
    order_count: lives.length,
    settlement_count: settled,
    blacklisted: ended !== undefined,
    dnd: rngOf(context.seed, 'dnd', borrower.index).chance(0.05),
    no_contact: rngOf(context.seed, 'noContact', borrower.index).chance(0.03)
      ? [{ days: [1, 2, 3, 4, 5], from: '13:00', to: '15:00' }]
      : [],
    registered_at: registeredAt,
    last_active_at: lastActive,
    created_at: registeredAt,
    updated_at: lastActive,
  })
  if (ended) {
    batch.add('blacklist', {
      id: `B${context.nextBlacklist()}`,
      customer_id: customerId,
      source: 'operationalWriteOff',
      reason: 'Operational write-off of a loan',
      operator_id: context.manager?.id ?? null,
      created_at: ended.blacklistedAt,
    })
  }
  if (!isCertified) return
  const firstAt = lives[0]?.createdAt ?? registeredAt
  // documents, contacts and card come one after the other between registration and application
  const partOf = (part: number) => registeredAt + Math.round((firstAt - registeredAt) * part)
  addContactsAndCard(batch, customerId, person, borrower, secrets, {
    contacts: partOf(0.6),
    card: partOf(0.8),
    device: firstAt,
  })
  addDocuments(batch, customerId, person, borrower, context, partOf)
  // each passed decision grants again; a loan waiting to be paid out asks for it
  const newest = lives.findLast(
    ({ disbursedAt, steps }) =>
      disbursedAt !== null || steps.some(({ to }) => to === 20 || to === 26),
  )
  const product = PRODUCTS.find((one) => borrower.hasOffer && one.appId === appId)
  const emi = newest?.emi?.emi
  const granted =
    newest ?? (product && { product, amount: product.maxAmount, createdAt: registeredAt })
  if (granted) {
    const { product: terms, amount } = granted
    const limit = Math.max(amount, terms.minAmount)
    batch.add('credit_grant', {
      id: `Q${customerId.slice(1)}`,
      customer_id: customerId,
      state: 'passed',
      final_limit: limit,
      base_limit: limit,
      adjusted_limit: 0,
      tenure_days: (emi && newest?.tenureDays) ?? terms.tenureDays,
      periods: emi?.instalments ?? terms.periods,
      days_per_period: terms.daysPerPeriod,
      service_rate: terms.serviceRate,
      daily_rate: terms.dailyRate,
      emi: emi === undefined ? null : { annualRate: emi.annualRate, dueDay: emi.dueDay },
      created_at: granted.createdAt,
    })
  }
}

function addContactsAndCard(
  batch: Batch,
  customerId: string,
  person: Person,
  borrower: Borrower,
  secrets: Secrets,
  at: { contacts: number; card: number; device: number },
): void {
  for (const [i, contact] of person.contacts.entries()) {
    const id = `${customerId}-${i + 1}`
    batch.add('customer_contact', {
      id,
      customer_id: customerId,
      seq: i + 1,
      relation: contact.relation,
      name: contact.name,
      phone_enc: secrets.seal('customer_contact.phone_enc', id, contact.phone),
      phone_last4: contact.phone.slice(-4),
      created_at: at.contacts,
    })
  }
  const { bank, device } = person
  const cardId = `K${customerId.slice(1)}`
  batch.add('bank_card', {
    id: cardId,
    customer_id: customerId,
    holder: bank.holder,
    bank_name: bank.bankName,
    account_enc: secrets.seal('bank_card.account_enc', cardId, bank.account),
    account_h: secrets.blindIndex('account', bank.account),
    account_last4: bank.account.slice(-4),
    ifsc: bank.ifsc,
    bind_state: borrower.hasBoundCard ? 'bound' : 'notBound',
    name_similarity: bank.nameSimilarity,
    created_at: at.card,
  })
  batch.add('customer_device', {
    id: `D${customerId.slice(1)}`,
    customer_id: customerId,
    brand: device.brand,
    model: device.model,
    os: device.os,
    os_version: device.osVersion,
    language: device.language,
    memory_mb: device.memoryMb,
    operator: device.operator,
    seen_at: at.device,
  })
}

function addDocuments(
  batch: Batch,
  customerId: string,
  person: Person,
  borrower: Borrower,
  { seed, withPhotos }: CustomerContext,
  partOf: (part: number) => number,
): void {
  const rng = rngOf(seed, 'documents', borrower.index)
  const read = extractionOf(person, rng)
  const reviewed = borrower.lives.findLast((life) => life.review !== null)
  const at = reviewed?.createdAt ?? borrower.lives[0]?.createdAt ?? borrower.registeredAt
  const extracted = {
    pan: { name: read.panName, number: maskPan(person.pan), birthday: read.panBirthday },
    aadhaar: {
      name: read.aadhaarName,
      last4: person.aadhaar.slice(-4),
      birthday: read.aadhaarBirthday,
      sex: person.sex,
      address: read.aadhaarPlace,
    },
    bank: { holder: read.bankHolder },
  }
  const checked = borrower.lives.some((life) => life.disbursedAt !== null) ? 'passed' : 'pending'
  batch.add('customer_kyc', {
    customer_id: customerId,
    verify_state: checked,
    pan_state: checked,
    extracted,
    face_pan: read.facePan,
    face_aadhaar: read.faceAadhaar,
    updated_at: at,
    passed_at: checked === 'passed' ? partOf(0.2) : null,
  })
  const isOpen = reviewed && reviewed.closedAt === null && reviewed.disbursedAt === null
  if (!reviewed || !(withPhotos || isOpen)) return
  for (const [kind, svg] of Object.entries(drawPhotos(person, read, rng)) as [
    PhotoKind,
    string,
  ][]) {
    const number = `${customerId.slice(1)}-${kind}`
    const content = Buffer.from(svg)
    batch.add('file_object', {
      id: `F${number}`,
      purpose: 'synthetic',
      name: `${kind}.svg`,
      mime: 'image/svg+xml',
      size: content.length,
      sha256: createHash('sha256').update(content).digest(),
      content,
      owner_id: customerId,
      created_at: at,
    })
    batch.add('customer_photo', {
      id: `I${number}`,
      customer_id: customerId,
      kind,
      file_id: `F${number}`,
      uploaded_at: Math.min(at, partOf(0.4)),
    })
  }
}
