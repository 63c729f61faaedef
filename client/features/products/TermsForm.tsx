/** Shared parts of the forms of a product's terms. */
import type { ComponentType, ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import type { SaveForm } from '#client/screen/use-save-form.ts'
import type { ConflictField } from '#client/ui/form/conflict.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Product } from './product-types.ts'
import { useSaveQuestion } from './use-save-question.tsx'
import { WithRead } from './WithRead.tsx'

export interface TermsFormProps {
  product: Product
  onDone: () => void
  onClose: () => void
}

/** What `withTerms` adds. */
export interface LoadedTerms<E extends Endpoint> {
  terms: DataOf<E>
  title: string
}

/** The form with the terms of the product, which are read each time it opens. */
export function withTerms<E extends Endpoint>(
  read: E,
  titleKey: string,
  Form: ComponentType<TermsFormProps & LoadedTerms<E>>,
): (props: TermsFormProps) => ReactNode {
  return function TermsForm(props) {
    const title = useText('products')(titleKey, { name: props.product.name })
    return (
      <WithRead
        read={read}
        input={{ productId: props.product.productId } as InputOf<E>}
        title={title}
        onClose={props.onClose}
      >
        {(terms) => <Form {...props} terms={terms} title={title} />}
      </WithRead>
    )
  }
}

/** Says which orders a change affects, and confirms it before it is saved. */
export function TermsDrawer<Values extends FieldValues>({
  product,
  title,
  width,
  frame,
  fields,
  part,
  children,
}: {
  product: Product
  title: string
  width?: number
  frame: SaveForm<Values>['frame']
  /** How a conflict shows the values of both users; `part` as in `ConflictPane`. */
  fields: readonly ConflictField[]
  part?: string
  children: ReactNode
}): ReactNode {
  const t = useText('products')
  const [shown, question] = useSaveQuestion(frame.form, product.name)
  return (
    <FormDrawer
      {...frame}
      {...(width !== undefined && { width })}
      title={title}
      form={shown}
      submitText={t('save')}
    >
      <ConflictPane form={frame.form} fields={fields} {...(part !== undefined && { part })} />
      <p className="products-hint">{t('newOrdersOnly')}</p>
      {question}
      {children}
    </FormDrawer>
  )
}
