/** What the three forms of a product's terms share: the terms as they are, read when the form opens, and one sentence on whom a change reaches. */
import { Spinner } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/SideDrawer.tsx'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { Product } from './ProductsScreen.tsx'
import { useSay } from './use-say.ts'

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
  return <p className="products-hint">{useSay()('newOrdersOnly')}</p>
}
