import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import Type, { type Static } from 'typebox'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ManyField, SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { Id } from '#shared/kernel/endpoint.ts'
import {
  type listMerchants,
  linkProducts,
  listProducts,
  unlinkProducts,
} from '#shared/products/products-api.ts'

/** Those that stay linked; the calls take what is added and what ends. */
const Links = Type.Object({ merchantId: Id(), productIds: Type.Array(Id(), { maxItems: 500 }) })

/** Which further products a merchant's apps offer. */
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
  const link = useSend(linkProducts, { quiet: true })
  const unlink = useSend(unlinkProducts, { quiet: true })
  const linkedTo = (id: string) =>
    merchants.find((merchant) => merchant.merchantId === id)?.productIds ?? []
  const form = useSchemaForm<Static<typeof Links>>({
    schema: Links,
    values: { merchantId: '', productIds: [] },
    onSubmit: async ({ merchantId, productIds }) => {
      const before = linkedTo(merchantId)
      const added = productIds.filter((id) => !before.includes(id))
      const ended = before.filter((id) => !productIds.includes(id))
      if (added.length > 0) await link.mutateAsync({ merchantId, productIds: added })
      if (ended.length > 0) await unlink.mutateAsync({ merchantId, productIds: ended })
      void showMessage({
        intent: 'success',
        message: t('linked', { count: productIds.length }),
        key: 'product',
      })
    },
    onDone: () => {
      onDone()
      onClose()
    },
  })
  const { control, getValues, setValue } = form.form
  const merchantId = useValue({ control, name: 'merchantId' })
  // a selection made for one merchant must not be applied to another
  useEffect(
    () =>
      setValue(
        'productIds',
        merchants.find((merchant) => merchant.merchantId === merchantId)?.productIds ?? [],
      ),
    [merchantId, merchants, setValue],
  )
  const ending = () =>
    linkedTo(getValues('merchantId')).filter((id) => !getValues('productIds').includes(id))
  const [shown, confirming] = useSubmitQuestion(form, () => ending().length > 0)
  const nameOf = (id: string) =>
    products.data?.rows.find(({ productId }) => productId === id)?.name ?? id
  return (
    <FormDialog
      isOpen
      title={t('action.link')}
      form={shown}
      submitText={t('save')}
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
            label: linkedTo(merchantId).includes(productId) ? t('alreadyLinked', { name }) : name,
          }))}
        />
      )}
      <ConfirmAction
        {...confirming}
        intent="warning"
        title={t('unlink.ask')}
        confirmText={t('save')}
      >
        <p>{t('unlink.means', { names: ending().map(nameOf).join(', ') })}</p>
      </ConfirmAction>
    </FormDialog>
  )
}
