/**
 * Writes the tables of a customer. Every personal value is encrypted with its table, column and row
 * as context; exact search uses a keyed hash.
 */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { inboundApplication } from '#shared/orders/inbound-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { MIME_OF } from '#shared/kernel/file-kind.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import type { CleanPicture } from '#gateway/manage/kernel/pictures/clean-picture.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'
import { maskAddressText, maskPan } from './mask.ts'

export type Application = InputOf<typeof inboundApplication>
export type Contacts = Application['contacts']
export type BankCard = Application['bankCard']
export type Extracted = NonNullable<Application['extracted']>
export type Photo = NonNullable<Application['photos']>[number]
/**
 * A photo that may be stored: the document number is covered, and only pixels are kept, no
 * metadata.
 */
export interface ReadyPhoto {
  kind: Photo['kind']
  picture: CleanPicture
}
/** Customer data as received, with photos prepared for storage. */
export type WithReadyPhotos<Given> = Omit<Given, 'photos'> & {
  photos?: readonly ReadyPhoto[] | undefined
}
export type ReadyApplication = WithReadyPhotos<Application>
export type Device = NonNullable<Application['device']>

/** Id for a row without a sequence: a letter, the time and random characters. */
export function newId(letter: string): string {
  return `${letter}${Date.now().toString(36)}${randomBytes(6).toString('hex')}`
}

/** The three declared contacts keep their ids, so a correction updates the same contact. */
export async function saveContacts(
  trx: Trx,
  secrets: Secrets,
  customerId: string,
  contacts: Contacts,
): Promise<void> {
  const rows = contacts.map((contact, i) => {
    const id = `${customerId}-${i + 1}`
    return {
      id,
      seq: i + 1,
      relation: contact.relation,
      name: contact.name,
      phone_enc: hex(secrets.seal('customer_contact.phone_enc', id, contact.phone)),
      phone_last4: contact.phone.slice(-4),
    }
  })
  await sql`
    insert into customer_contact (id, customer_id, seq, relation, name, phone_enc, phone_last4)
    select r.id, ${customerId}, r.seq, r.relation, r.name, decode(r.phone_enc, 'hex'), r.phone_last4
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id text, seq int, relation text,
      name text, phone_enc text, phone_last4 text)
    on conflict (customer_id, seq) do update
    set relation = excluded.relation, name = excluded.name, phone_enc = excluded.phone_enc,
      phone_last4 = excluded.phone_last4`.execute(trx)
}

/**
 * The same account keeps its card; another account becomes the active card and the old one is kept.
 */
export async function saveBankCard(
  trx: Trx,
  secrets: Secrets,
  customerId: string,
  card: BankCard,
): Promise<void> {
  const hash = secrets.blindIndex('account', card.account)
  const bindState = card.bound ? 'bound' : 'notBound'
  const kept = await sql`
    update bank_card set bind_state = ${bindState}, name_similarity = ${card.nameSimilarity},
      bank_name = ${card.bankName}
    where customer_id = ${customerId} and active and account_h = ${hash} and ifsc = ${card.ifsc}
      and holder = ${card.holder}`.execute(trx)
  if (kept.numAffectedRows === 1n) return
  const id = newId('K')
  await sql`update bank_card set active = false where customer_id = ${customerId} and active`.execute(
    trx,
  )
  await sql`
    insert into bank_card (id, customer_id, holder, bank_name, account_enc, account_h, account_last4, ifsc,
      bind_state, name_similarity)
    values (${id}, ${customerId}, ${card.holder}, ${card.bankName},
      ${secrets.seal('bank_card.account_enc', id, card.account)}, ${hash}, ${card.account.slice(-4)},
      ${card.ifsc}, ${bindState}, ${card.nameSimilarity})`.execute(trx)
}

/**
 * Data read from the documents. Missing parts stay; a new reading of a document replaces the old.
 */
export async function saveKyc(
  trx: Trx,
  customerId: string,
  extracted: Extracted | undefined,
  faces: { pan?: number | undefined; aadhaar?: number | undefined } = {},
): Promise<void> {
  await sql`
    insert into customer_kyc (customer_id, extracted, face_pan, face_aadhaar)
    values (${customerId}, ${JSON.stringify(documentsOf(extracted))}::jsonb, ${faces.pan ?? null},
      ${faces.aadhaar ?? null})
    on conflict (customer_id) do update
    set extracted = customer_kyc.extracted || excluded.extracted, face_pan = coalesce(excluded.face_pan,
      customer_kyc.face_pan), face_aadhaar = coalesce(excluded.face_aadhaar, customer_kyc.face_aadhaar),
      -- a document that came again is to be checked again
      pan_state = case when excluded.extracted ? 'pan' then 'pending'
        else customer_kyc.pan_state end, verify_state = case
        when excluded.extracted ? 'aadhaar' then 'pending' else customer_kyc.verify_state end,
      updated_at = clock_timestamp()`.execute(trx)
}

/** Numbers and address are masked before storage: reviewers compare masked forms only. */
export function documentsOf(
  extracted: Extracted | undefined,
): Record<string, Record<string, string | null>> {
  if (!extracted) return {}
  const {
    panName,
    panNumber,
    panBirthday,
    aadhaarName,
    aadhaarLast4,
    aadhaarBirthday,
    aadhaarSex,
    aadhaarAddress,
    bankHolder,
  } = extracted
  const documents = {
    pan: {
      name: panName ?? null,
      number: panNumber ? maskPan(panNumber) : null,
      birthday: panBirthday ?? null,
    },
    aadhaar: {
      name: aadhaarName ?? null,
      last4: aadhaarLast4 ?? null,
      birthday: aadhaarBirthday ?? null,
      sex: aadhaarSex ?? null,
      address: aadhaarAddress ? maskAddressText(aadhaarAddress) : null,
    },
    bank: { holder: bankHolder ?? null },
  }
  return Object.fromEntries(
    Object.entries(documents).filter(([, values]) =>
      Object.values(values).some((value) => value !== null),
    ),
  )
}

/**
 * Adds photos; the latest of a kind is the current one. File names are generated and contents are
 * encrypted, because a picture reveals more than any field.
 */
export async function savePhotos(
  trx: Trx,
  secrets: Secrets,
  customerId: string,
  photos: readonly ReadyPhoto[],
): Promise<void> {
  for (const { kind, picture } of photos) {
    const fileId = newId('F')
    const { bytes } = picture
    const name = `${kind}-${fileId}.${picture.kind}`
    await sql`
      with stored as (
        insert into file_object (id, purpose, name, mime, size, sha256, content, owner_id)
        values (${fileId}, 'photo', ${name}, ${MIME_OF[picture.kind]}, ${bytes.length},
          ${createHash('sha256').update(bytes).digest()},
          ${secrets.seal('file_object.content', fileId, bytes.toString('base64'))}, ${customerId})
        returning id
      )
      insert into customer_photo (id, customer_id, kind, file_id)
      select ${newId('I')}, ${customerId}, ${kind}, s.id from stored s`.execute(trx)
  }
}

export async function saveDevice(trx: Trx, customerId: string, device: Device): Promise<void> {
  await sql`
    insert into customer_device (id, customer_id, brand, model, os, os_version, language, memory_mb, operator)
    values (${newId('D')}, ${customerId}, ${device.brand}, ${device.model}, ${device.os},
      ${device.osVersion}, ${device.language}, ${device.memoryMb}, ${device.operator})`.execute(trx)
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex')
}
