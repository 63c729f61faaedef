/**
 * Shared part of the three terms forms: loads the current terms and explains which orders a change
 * affects.
 */
import { useText } from '#client/base/use-text.ts'
import { Spinner } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Product } from './product-types.ts'

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
  const terms = useQuery({
    ...queryOf(read, { productId: product.productId } as InputOf<E>, { quiet: true }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (terms.data !== undefined) return children(terms.data)
  return (
    <SideDrawer isOpen title={title} onClose={onClose}>
      {terms.error ? (
        <ErrorPane error={terms.error} onRetry={() => void terms.refetch()} />
      ) : (
        <Spinner size={32} className="products-wait" />
      )}
    </SideDrawer>
  )
}

export function NewOrdersOnly(): ReactNode {
  return <p className="products-hint">{useText('products')('newOrdersOnly')}</p>
}
