/** Tables the demo writes, in the order their references need, with the columns it fills. */
import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { bulkInsert, type Columns, type Row } from './bulk-insert.ts'

const TABLES = {
  customer: {
    id: 'text', name: 'text', pan_name: 'text', phone_enc: 'bytea', phone_h: 'bytea', phone_last4: 'text', aadhaar_h: 'bytea', aadhaar_last4: 'text', pan_enc: 'bytea', pan_h: 'bytea', pan_masked: 'text', birthday: 'date', sex: 'text', marital_status: 'text',
    education: 'text', children_count: 'int', dwelling_state: 'text', profession: 'text', company_name: 'text', company_address: 'text', address_enc: 'bytea', city: 'text', postcode: 'text', monthly_income: 'bigint', email_enc: 'bytea', email_masked: 'text',
    language: 'text', channel_id: 'text', app_id: 'text', customer_class: 'text', certified: 'boolean', entry_count: 'int', order_count: 'int', settlement_count: 'int', blacklisted: 'boolean', dnd: 'boolean', no_contact: 'jsonb',
    registered_at: 'timestamptz', last_active_at: 'timestamptz', created_at: 'timestamptz', updated_at: 'timestamptz',
  },
  customer_contact: { id: 'text', customer_id: 'text', seq: 'int', relation: 'text', name: 'text', phone_enc: 'bytea', phone_last4: 'text' },
  customer_kyc: { customer_id: 'text', verify_state: 'text', pan_state: 'text', extracted: 'jsonb', face_pan: 'int', face_aadhaar: 'int', updated_at: 'timestamptz' },
  bank_card: { id: 'text', customer_id: 'text', holder: 'text', bank_name: 'text', account_enc: 'bytea', account_h: 'bytea', account_last4: 'text', ifsc: 'text', bind_state: 'text', name_similarity: 'int', created_at: 'timestamptz' },
  file_object: { id: 'text', purpose: 'text', name: 'text', mime: 'text', size: 'int', sha256: 'bytea', content: 'bytea', owner_id: 'text', created_at: 'timestamptz' },
  customer_photo: { id: 'text', customer_id: 'text', kind: 'text', file_id: 'text', uploaded_at: 'timestamptz' },
  customer_device: { id: 'text', customer_id: 'text', brand: 'text', model: 'text', os: 'text', os_version: 'text', language: 'text', memory_mb: 'int', operator: 'text', seen_at: 'timestamptz' },
  blacklist: { id: 'text', customer_id: 'text', source: 'text', reason: 'text', operator_id: 'text', created_at: 'timestamptz' },
  credit_grant: { id: 'text', customer_id: 'text', state: 'text', final_limit: 'bigint', base_limit: 'bigint', adjusted_limit: 'bigint', tenure_days: 'int', periods: 'int', days_per_period: 'int', service_rate: 'int', daily_rate: 'int', created_at: 'timestamptz' },
  loan_order: {
    id: 'text', customer_id: 'text', product_id: 'text', app_id: 'text', channel_id: 'text', amount: 'bigint', arrival_amount: 'bigint', service_charge: 'bigint', interest: 'bigint', contract_amount: 'bigint', tenure_days: 'int', term: 'int', status: 'int', tags: 'text[]',
    close_type: 'text', close_amount_type: 'text', fail_reason: 'text', refusal_code: 'text', cool_down_until: 'date', due_at: 'date', closed_at: 'timestamptz', disbursed_at: 'timestamptz', overdue_days: 'int', outstanding: 'bigint', resume_status: 'int', rbi_class: 'text', kfs_version: 'text',
    kfs_accepted_at: 'timestamptz', cooling_off_until: 'timestamptz', from_order_id: 'text', product_snapshot: 'jsonb', created_at: 'timestamptz', updated_at: 'timestamptz', version: 'int',
  },
  order_status_log: { order_id: 'text', from_status: 'int', to_status: 'int', cause: 'text', by_user_id: 'text', by_name: 'text', note: 'text', at: 'timestamptz' },
  payout_transfer: {
    id: 'text', order_id: 'text', platform_order_no: 'text', vendor_order_no: 'text', vendor_code: 'text', payee_name: 'text', transfer_type: 'text', account_enc: 'bytea', account_last4: 'text', ifsc: 'text', amount: 'bigint', pay_state: 'text', attempt_no: 'int',
    sent_at: 'timestamptz', send_attempts: 'int', next_send_at: 'timestamptz', fail_at: 'timestamptz', fail_reason: 'text', handling_method: 'text', utr: 'text', finished_at: 'timestamptz', created_at: 'timestamptz', updated_at: 'timestamptz',
  },
  repay_plan: {
    id: 'text', order_id: 'text', serial_no: 'int', due_at: 'date', principal: 'bigint', interest: 'bigint', overdue_fine: 'bigint', reduced_fees: 'bigint', waived: 'bigint', paid_amount: 'bigint', outstanding: 'bigint',
    open_principal: 'bigint', open_interest: 'bigint', open_service: 'bigint', open_fine: 'bigint', fine_to: 'date', payment_status: 'text', overdue_days: 'int',
    reduction_at: 'timestamptz', actual_repayment_at: 'timestamptz', created_at: 'timestamptz', updated_at: 'timestamptz',
  },
  repay_record: {
    id: 'text', order_id: 'text', told_order_id: 'text', plan_id: 'text', customer_id: 'text', repayment_type: 'text', amount: 'bigint', utr: 'text', upi_enc: 'bytea', upi_masked: 'text', channel: 'int', bank_code: 'text', pay_state: 'text', source: 'text',
    paid_at: 'timestamptz', confirmed_at: 'timestamptz', operator_name: 'text', confirmer_name: 'text', vendor_code: 'text', vendor_order_no: 'text', created_at: 'timestamptz', updated_at: 'timestamptz', version: 'int',
  },
  extension: { order_id: 'text', new_order_id: 'text', fee: 'bigint', commission: 'bigint', days: 'int', serial_no: 'int', record_id: 'text', created_at: 'timestamptz' },
  ledger_entry: { txn_id: 'text', order_id: 'text', plan_id: 'text', account: 'text', debit: 'bigint', credit: 'bigint', kind: 'text', ref_id: 'text', biz_date: 'date', at: 'timestamptz', written_in: 'xid8' },
  review: {
    id: 'text', order_id: 'text', customer_id: 'text', customer_name: 'text', amount: 'bigint', customer_class: 'text', state: 'text', machine_id: 'text', machine_state: 'text', machine_at: 'timestamptz', machine_interval_sec: 'int', need_manual: 'boolean', machine_report: 'jsonb',
    manual_id: 'text', manual_result: 'text', reviewer_id: 'text', reviewer_name: 'text', first_reviewer_id: 'text', token: 'int', idle_until: 'timestamptz', live_until: 'timestamptz', retry_count: 'int', reject_code: 'text', remark: 'text', checklist: 'jsonb', pre_reject_code: 'text',
    bind_state: 'text', name_similarity: 'int', tele_call_state: 'text', tele_answers: 'jsonb', tele_attempts: 'int', tele_day: 'date', data_items: 'text[]', data_message: 'text', data_until: 'timestamptz', quality: 'text', quality_code: 'text', quality_class: 'text', quality_remark: 'text',
    quality_by: 'text', quality_by_name: 'text', quality_at: 'timestamptz', appeal_state: 'text', appeal_reason: 'text', appeal_by: 'text', appeal_at: 'timestamptz', appeal_decide_reason: 'text', handover_state: 'text', priority: 'int', queued_at: 'timestamptz', claimed_at: 'timestamptz',
    opened_at: 'timestamptz', decided_at: 'timestamptz', finished_at: 'timestamptz', created_at: 'timestamptz', updated_at: 'timestamptz', version: 'int',
  },
  review_log: { review_id: 'text', event: 'text', from_state: 'text', to_state: 'text', token: 'int', by_user_id: 'text', by_name: 'text', holder_id: 'text', note: 'text', at: 'timestamptz' },
  review_handover: { id: 'text', review_id: 'text', from_user_id: 'text', from_name: 'text', to_user_id: 'text', to_name: 'text', requested_by: 'text', reason: 'text', item_token: 'int', expires_at: 'timestamptz', created_at: 'timestamptz' },
} as const satisfies Record<string, Columns>

export type Table = keyof typeof TABLES

/** First number of the tables' sequences (migrations). */
export const FIRST_NUMBER = 10_000_001

/** Rows on their way to the database. */
export class Batch {
  readonly rows = new Map<Table, Row[]>()
  written = 0

  add(table: Table, row: Row): void {
    const rows = this.rows.get(table)
    if (rows) rows.push(row)
    else this.rows.set(table, [row])
  }
  async flush(trx: Trx): Promise<void> {
    for (const table of Object.keys(TABLES) as Table[]) {
      const rows = this.rows.get(table)
      if (!rows) continue
      await bulkInsert(trx, table, TABLES[table], rows, table === 'ledger_entry' ? (a, b) => a.txn_id === b.txn_id : undefined)
      this.written += rows.length
    }
    this.rows.clear()
  }
}

/** The next id after the seed's own. */
export async function moveSequences(trx: Trx, next: Record<string, number>): Promise<void> {
  for (const [sequence, value] of Object.entries(next)) await sql`select setval(${sequence}, ${value}, false)`.execute(trx)
}
