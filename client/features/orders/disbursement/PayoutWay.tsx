/**
 * Vendor and transfer type for retried disbursements. Vendors that no app uses now are listed with a
 * note, so that users need not search for them.
 */
import { type ReactNode, useId } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import {
  MANUAL_VENDOR,
  type payoutVendors,
  TRANSFER_TYPES,
} from '#shared/orders/disbursement-api.ts'

export interface Way {
  /** Undefined: for each order the one its app uses. */
  vendorCode?: string
  /** Undefined: chosen by the amount. */
  transferType?: (typeof TRANSFER_TYPES)[number]
}

export function PayoutWay({
  way,
  vendors,
  onChange,
}: {
  way: Way
  vendors: DataOf<typeof payoutVendors> | undefined
  onChange: (way: Way) => void
}): ReactNode {
  const t = useText('orders')
  const id = useId()
  const named = (vendors?.all ?? []).filter((vendor) => vendor !== MANUAL_VENDOR)
  return (
    <div className="wait-way">
      <label htmlFor={`${id}-vendor`}>{t('transfer.vendor')}</label>
      <span className="bp6-html-select field-select">
        <select
          id={`${id}-vendor`}
          value={way.vendorCode ?? ''}
          onChange={({ target }) =>
            onChange({
              transferType: way.transferType,
              ...(target.value !== '' && { vendorCode: target.value }),
            })
          }
        >
          <option value="">{t('wait.byApp')}</option>
          {named.map((vendor) => (
            <option key={vendor} value={vendor} disabled={!vendors?.usable.includes(vendor)}>
              {vendors?.usable.includes(vendor) ? vendor : t('wait.vendorOff', { vendor })}
            </option>
          ))}
        </select>
        <span className="field-caret" aria-hidden="true" />
      </span>
      <label htmlFor={`${id}-type`}>{t('transfer.type')}</label>
      <span className="bp6-html-select field-select">
        <select
          id={`${id}-type`}
          value={way.transferType ?? ''}
          onChange={(event) =>
            onChange({
              ...way,
              transferType: TRANSFER_TYPES.find((type) => type === event.target.value),
            })
          }
        >
          <option value="">{t('wait.byAmount')}</option>
          {TRANSFER_TYPES.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
        <span className="field-caret" aria-hidden="true" />
      </span>
    </div>
  )
}
