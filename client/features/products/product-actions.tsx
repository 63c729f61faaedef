/** What can be done with products. */
import type { ReactNode } from 'react'
import { currentLanguage } from '#client/base/i18n.ts'
import { callAction, panelAction, runAction } from '#client/screen/list/list-actions.ts'
import type { ListTools, PanelTools } from '#client/screen/list/list-types.ts'
import { messageOf } from '#client/session/call-error.ts'
import { downloadFile } from '#client/session/file.ts'
import {
  addProduct,
  editExtension,
  editPenalty,
  editProduct,
  editQuota,
  linkProducts,
  listMerchants,
  productOptions,
  productTemplate,
  refreshProducts,
  setProductStatus,
} from '#shared/products/products-api.ts'
import { ExtensionForm } from './ExtensionForm.tsx'
import { LinkForm } from './LinkForm.tsx'
import { PenaltyForm } from './PenaltyForm.tsx'
import { ProductForm } from './ProductForm.tsx'
import type { Product } from './product-types.ts'
import { QuotaForm } from './QuotaForm.tsx'

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addProduct,
  text: 'action.add',
  panel: (_, tools) => productForm(null, tools),
})

export const editAction = panelAction<Product>({
  id: 'edit',
  endpoint: editProduct,
  text: 'action.edit',
  icon: 'edit',
  panel: productForm,
})

export const linkLenders = panelAction<null>({
  id: 'link',
  endpoint: linkProducts,
  text: 'action.link',
  icon: 'link',
  variant: 'outlined',
  panel: (_, { read, readAgain, close }) => (
    <LinkForm
      merchants={read(listMerchants) ?? []}
      onDone={() => readAgain(listMerchants)}
      onClose={close}
    />
  ),
})

export const refreshAction = callAction<typeof refreshProducts, null>(refreshProducts, {
  id: 'refresh',
  text: 'action.refresh',
  icon: 'refresh',
  variant: 'outlined',
  input: () => ({}),
  done: ({ count }, { t }) => t('refreshed', { count }),
})

export const templateAction = runAction<null>({
  id: 'template',
  endpoint: productTemplate,
  text: 'action.template',
  icon: 'download',
  variant: 'outlined',
  disabledReason: (_, { offline }) => offline,
  run: (_, tools) => downloadTemplate(tools),
})

const TERMS = [
  { id: 'quota', endpoint: editQuota, icon: 'people', Form: QuotaForm },
  { id: 'penalty', endpoint: editPenalty, icon: 'stopwatch', Form: PenaltyForm },
  { id: 'extend', endpoint: editExtension, icon: 'calendar', Form: ExtensionForm },
] as const

export const termsActions = TERMS.map(({ id, endpoint, icon, Form }) =>
  panelAction<Product>({
    id,
    endpoint,
    text: `action.${id}`,
    icon,
    disabledReason: ({ kind }, { t }) =>
      kind === 'emi' && id !== 'penalty' ? t('fault.emiTerms') : null,
    panel: (product, { done, close }) => <Form product={product} onDone={done} onClose={close} />,
  }),
)

export const switchActions = [
  callAction(setProductStatus, {
    id: 'off',
    text: 'action.off',
    icon: 'disable',
    intent: 'danger',
    separated: true,
    when: ({ status }: Product) => status === 'enabled',
    confirm: ({ name, openOrders }, { t }) => ({
      title: t('ask.off', { name }),
      body: (
        <>
          <p>{t('ask.offMeans')}</p>
          {openOrders > 0 && (
            <p className="products-warning">{t('ask.openOrders', { count: openOrders })}</p>
          )}
        </>
      ),
    }),
    input: ({ productId, version }) => ({ productId, version, status: 'disabled' as const }),
    done: 'saved',
  }),
  callAction(setProductStatus, {
    id: 'on',
    text: 'action.on',
    icon: 'play',
    separated: true,
    when: ({ status }: Product) => status === 'disabled',
    confirm: ({ name }, { t }) => ({
      title: t('ask.on', { name }),
      body: <p>{t('ask.onMeans')}</p>,
    }),
    input: ({ productId, version }) => ({ productId, version, status: 'enabled' as const }),
    done: 'saved',
  }),
]

function productForm(product: Product | null, tools: PanelTools): ReactNode {
  return (
    <ProductForm
      product={product}
      apps={tools.read(productOptions)?.apps ?? []}
      merchants={tools.read(listMerchants) ?? []}
      onTemplate={tools.may(productTemplate) ? () => void downloadTemplate(tools) : null}
      onDone={tools.done}
      onClose={tools.close}
    />
  )
}

async function downloadTemplate({ notify }: ListTools): Promise<void> {
  await downloadFile(productTemplate, { language: currentLanguage() }).catch((error: unknown) =>
    notify(messageOf(error), 'warning'),
  )
}
