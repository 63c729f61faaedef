/**
 * Shared part of the three terms forms: loads the current terms and explains which orders a change
 * affects.
 */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Product } from './product-types.ts'
import { WithRead } from './WithRead.tsx'

export interface TermsFormProps {
  product: Product
  onDone: () => void
  onClose: () => void
}

export function WithTerms<E extends Endpoint>({
  read,
  product,
  title,
  onClose,
  children,
}: {
  read: E
  product: Product
  title: string
  onClose: () => void
  children: (terms: DataOf<E>) => ReactNode
}): ReactNode {
  const input = { productId: product.productId } as InputOf<E>
  return (
    <WithRead read={read} input={input} title={title} onClose={onClose}>
      {children}
    </WithRead>
  )
}

export function NewOrdersOnly(): ReactNode {
  return <p className="products-hint">{useText('products')('newOrdersOnly')}</p>
}
