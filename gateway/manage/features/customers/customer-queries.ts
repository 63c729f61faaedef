/** The sections of a customer for other screens, in one statement; nothing is decrypted. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { CustomerSections, PHOTO_KINDS } from '#shared/customers/customer-sections.ts'
import type { NoContactSlot } from '#shared/customers/no-contact.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { isoTime } from '#gateway/manage/kernel/list-parts.ts'
import { customerInScope, sectionsOf } from './customer-scope.ts'
import { maskAadhaar, maskAccount, maskAddress, maskPhone } from './mask.ts'

type Sections = Static<typeof CustomerSections>

interface Read {
  basic: {
    name: string
    pan_name: string | null
    phone_last4: string
    aadhaar_last4: string | null
    pan_masked: string | null
    birthday: string | null
    age: number | null
    sex: string | null
    marital_status: string | null
    education: string | null
    children_count: number | null
    dwelling_state: string | null
    profession: string | null
    company_name: string | null
    company_address: string | null
    city: string | null
    postcode: string | null
    monthly_income: number | null
    email_masked: string | null
    language: string
    channel: string
    no_contact: NoContactSlot[]
    dnd: boolean
  }
  contact: { id: string; relation: string; name: string; phone_last4: string }[]
  kyc: {
    verify_state: string
    pan_state: string
    face_pan: number | null
    face_aadhaar: number | null
    extracted: Documents
  } | null
  card: {
    holder: string
    bank_name: string
    account_last4: string
    ifsc: string
    bind_state: string
    name_similarity: number | null
  } | null
  photos: { id: string; kind: (typeof PHOTO_KINDS)[number]; at: string }[]
  credit: Sections['credit']
  device: Sections['device']
  orders: Sections['orders']
}
interface Documents {
  pan?: { name: string | null; number: string | null; birthday: string | null }
  aadhaar?: {
    name: string | null
    last4: string | null
    birthday: string | null
    sex: string | null
    address: string | null
  }
  bank?: { holder: string | null }
}

/** @throws Problem G404 for a customer that is missing or outside the caller's scope */
export async function customerSections(
  db: Db,
  actor: StaffActor,
  customerId: string,
): Promise<Sections> {
  const { rows } = await sql<Read>`
    select
      json_build_object('name', c.name, 'pan_name', c.pan_name, 'phone_last4', c.phone_last4,
        'aadhaar_last4', c.aadhaar_last4, 'pan_masked', c.pan_masked, 'birthday', c.birthday,
        'age', extract(year from age((clock_timestamp() at time zone 'Asia/Kolkata')::date,
          c.birthday))::int, 'sex', c.sex,
        'marital_status', c.marital_status, 'education', c.education, 'children_count', c.children_count,
          'dwelling_state', c.dwelling_state, 'profession', c.profession, 'company_name', c.company_name,
        'company_address', c.company_address, 'city', c.city, 'postcode', c.postcode, 'monthly_income',
          c.monthly_income, 'email_masked', c.email_masked, 'language', c.language, 'channel', ch.name,
          'no_contact', c.no_contact, 'dnd', c.dnd) as basic,
      (select coalesce(json_agg(json_build_object('id', k.id, 'relation', k.relation, 'name', k.name,
        'phone_last4', k.phone_last4) order by k.seq), '[]') from customer_contact k
        where k.customer_id = c.id) as contact,
      (select json_build_object('verify_state', y.verify_state, 'pan_state', y.pan_state, 'face_pan',
        y.face_pan, 'face_aadhaar', y.face_aadhaar, 'extracted', y.extracted)
        from customer_kyc y where y.customer_id = c.id) as kyc,
      (select json_build_object('holder', b.holder, 'bank_name', b.bank_name, 'account_last4',
        b.account_last4, 'ifsc', b.ifsc, 'bind_state', b.bind_state, 'name_similarity', b.name_similarity)
        from bank_card b where b.customer_id = c.id and b.active) as card,
      (select coalesce(json_agg(json_build_object('id', p.id, 'kind', p.kind, 'at',
        ${isoTime('p.uploaded_at')}) order by p.kind), '[]')
        from (select distinct on (p.kind) p.id, p.kind, p.uploaded_at from customer_photo p
          where p.customer_id = c.id order by p.kind, p.uploaded_at desc, p.id desc) p) as photos,
      (select json_build_object('finalLimit', g.final_limit, 'baseLimit', g.base_limit, 'adjustedLimit',
        g.adjusted_limit, 'tenureDays', g.tenure_days, 'periods', g.periods, 'daysPerPeriod',
        g.days_per_period,
          'serviceRate', g.service_rate, 'dailyRate', g.daily_rate, 'emi', g.emi,
          'state', g.state)
        from credit_grant g where g.customer_id = c.id order by g.created_at desc limit 1) as credit,
      (select json_build_object('brand', d.brand, 'model', d.model, 'os', d.os, 'osVersion', d.os_version,
        'language', d.language, 'memoryMb', d.memory_mb, 'operator', d.operator)
        from customer_device d where d.customer_id = c.id order by d.seen_at desc limit 1) as device,
      (select coalesce(json_agg(json_build_object('orderId', o.id, 'amount', o.amount, 'status', o.status,
        'createTime', ${isoTime('o.created_at')}, 'overdueDays', o.overdue_days)
        order by o.created_at desc), '[]')
        from (select o.id, o.amount, o.status, o.created_at, o.overdue_days from loan_order o
          where o.customer_id = c.id order by o.created_at desc limit 50) o) as orders
    from customer c
    join channel ch on ch.id = c.channel_id
    where c.id = ${customerId} and ${customerInScope(actor)}`.execute(db)
  const read = rows[0]
  if (!read) throw new Problem(NOT_FOUND)
  return shown(customerId, read, actor)
}

function shown(userId: string, read: Read, actor: StaffActor): Sections {
  const allowed = sectionsOf(actor)
  const { basic } = read
  return {
    userId,
    basic: {
      name: basic.name,
      panName: basic.pan_name,
      phone: maskPhone(basic.phone_last4),
      sex: basic.sex,
      age: basic.age,
      birthday: basic.birthday,
      maritalStatus: basic.marital_status,
      education: basic.education,
      childrenCount: basic.children_count,
      dwellingState: basic.dwelling_state,
      profession: basic.profession,
      companyName: basic.company_name,
      companyAddress: basic.company_address,
      residentialAddress: maskAddress(basic.city, basic.postcode),
      monthlyIncome: basic.monthly_income,
      email: basic.email_masked,
      postcode: basic.postcode,
      language: basic.language,
      channel: basic.channel,
      noContact: basic.no_contact,
      dnd: basic.dnd,
    },
    contact: allowed.has('contact')
      ? read.contact.map((k) => ({
          contactId: k.id,
          relation: k.relation,
          name: k.name,
          phone: maskPhone(k.phone_last4),
        }))
      : null,
    kyc: allowed.has('kyc') && read.kyc ? kycShown(basic, read.kyc) : null,
    bankCard:
      allowed.has('bankCard') && read.card
        ? {
            holder: read.card.holder,
            bankName: read.card.bank_name,
            account: maskAccount(read.card.account_last4),
            ifsc: read.card.ifsc,
            bindState: read.card.bind_state,
            nameSimilarity: read.card.name_similarity,
          }
        : null,
    photos: allowed.has('photos')
      ? read.photos.map((p) => ({ photoId: p.id, kind: p.kind, uploadTime: p.at }))
      : null,
    credit: allowed.has('credit') ? read.credit : null,
    device: allowed.has('device') ? read.device : null,
    orders: read.orders,
  }
}

function kycShown(basic: Read['basic'], kyc: NonNullable<Read['kyc']>): Sections['kyc'] {
  const { pan, aadhaar, bank } = kyc.extracted
  return {
    aadhaar: basic.aadhaar_last4 === null ? null : maskAadhaar(basic.aadhaar_last4),
    pan: basic.pan_masked,
    verifyState: kyc.verify_state,
    panState: kyc.pan_state,
    facePan: kyc.face_pan,
    faceAadhaar: kyc.face_aadhaar,
    extracted: {
      panName: pan?.name ?? null,
      panNumber: pan?.number ?? null,
      panBirthday: pan?.birthday ?? null,
      aadhaarName: aadhaar?.name ?? null,
      aadhaarNumber: aadhaar?.last4 ? maskAadhaar(aadhaar.last4) : null,
      aadhaarBirthday: aadhaar?.birthday ?? null,
      aadhaarSex: aadhaar?.sex ?? null,
      aadhaarAddress: aadhaar?.address ?? null,
      bankHolder: bank?.holder ?? null,
    },
  }
}
