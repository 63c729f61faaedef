import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ManyField, SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { type listMerchants, linkProducts, listProducts } from '#shared/products/products-api.ts'

/** Links further products to a merchant. Links cannot be removed. */
export function LinkForm({
  merchants,
  onDone,
  onClose,
}: {
  merchants: DataOf<typeof listMerchants>
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('products')
  const { reason: offline } = useConnection()
  const products = useQuery(
    queryOf(listProducts, { pageSize: 200, sort: 'name:asc' }, { quiet: true }),
  )
  const send = useSend(linkProducts, { quiet: true })
  const form = useSchemaForm<InputOf<typeof linkProducts>>({
    schema: linkProducts.input,
    values: { merchantId: '', productIds: [] },
    onSubmit: async (values) => {
      const { count } = await send.mutateAsync(values)
      void showMessage({ intent: 'success', message: t('linked', { count }), key: 'product' })
    },
    onDone: () => {
      onDone()
      onClose()
    },
  })
  const { control, setValue } = form.form
  const merchantId = useValue({ control, name: 'merchantId' })
  const linked = merchants.find((merchant) => merchant.merchantId === merchantId)?.productIds ?? []
  // a selection made for one merchant must not be applied to another
  useEffect(() => setValue('productIds', []), [merchantId, setValue])
  return (
    <FormDialog
      isOpen
      title={t('action.link')}
      form={form}
      submitText={t('link')}
      submitRefused={offline}
      onClose={onClose}
    >
      <SelectField
        name="merchantId"
        label={t('col.merchantName')}
        options={merchants.map(({ merchantId: value, name }) => ({ value, label: name }))}
      />
      {merchantId !== '' && (
        <ManyField
          name="productIds"
          label={t('products')}
          options={(products.data?.rows ?? []).map(({ productId, name }) => ({
            value: productId,
            label: linked.includes(productId) ? t('alreadyLinked', { name }) : name,
            disabled: linked.includes(productId),
          }))}
        />
      )}
    </FormDialog>
  )
}
