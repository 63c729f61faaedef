import { expect, test } from 'vitest'
import { forbiddenImport } from './arrows.ts'
import { importsOf, sourceFiles } from './sources.ts'

test.each([
  ['client/features/orders/OrderListScreen.tsx', 'shared/orders/orders-api.ts'],
  ['client/features/review/ReviewListScreen.tsx', 'client/features/orders/public.tsx'],
  ['client/app/features.ts', 'client/features/review/screens.ts'],
  ['gateway/manage/features/review/decide-review.ts', 'gateway/manage/features/orders/public.ts'],
  [
    'gateway/manage/features/tickets/lists/ticket-list.ts',
    'gateway/manage/features/collection/case-scope.ts',
  ],
  ['gateway/manage/manage.ts', 'gateway/manage/features/review/feature.ts'],
  ['gateway/main.ts', 'gateway/edge/edge.ts'],
  ['gateway/edge/proxy.ts', 'shared/kernel/problem.ts'],
  ['shared/review/review-api.ts', 'shared/customers/customer-sections.ts'],
  ['tests/e2e/review.e2e.ts', 'gateway/manage/core.ts'],
])('%s may import %s', (from, to) => {
  expect(forbiddenImport(from, to)).toBeNull()
})

test.each([
  ['shared/kernel/money.ts', 'shared/orders/orders-api.ts'],
  ['shared/orders/orders-api.ts', 'gateway/kernel/clock.ts'],
  ['gateway/edge/proxy.ts', 'gateway/manage/kernel/serve.ts'],
  ['gateway/edge/proxy.ts', 'shared/orders/orders-api.ts'],
  ['gateway/manage/kernel/serve.ts', 'gateway/manage/features/orders/public.ts'],
  ['gateway/manage/features/orders/cancel-order.ts', 'gateway/edge/edge.ts'],
  [
    'gateway/manage/features/review/decide-review.ts',
    'gateway/manage/features/orders/order-store.ts',
  ],
  [
    'gateway/manage/features/review/decide-review.ts',
    'gateway/manage/features/wall/figures/figure-scope.ts',
  ],
  ['gateway/manage/core.ts', 'gateway/manage/features/session/session-store.ts'],
  ['gateway/manage/db/client.ts', 'gateway/manage/features/orders/public.ts'],
  ['client/ui/grid/DataGrid.tsx', 'client/live/use-live.ts'],
  ['client/ui/grid/DataGrid.tsx', 'shared/orders/orders-api.ts'],
  ['client/features/review/ReviewListScreen.tsx', 'client/features/orders/OrderListScreen.tsx'],
  ['client/session/call.ts', 'gateway/config.ts'],
  ['client/features/orders/OrderListScreen.tsx', 'tests/support/manage.ts'],
])('%s may not import %s', (from, to) => {
  expect(forbiddenImport(from, to)).not.toBeNull()
})

test('every import of the project follows the arrows', () => {
  const broken = sourceFiles().flatMap((from) =>
    importsOf(from).flatMap((to) => {
      const why = forbiddenImport(from, to)
      return why === null ? [] : [`${from} -> ${to}: ${why}`]
    }),
  )
  expect(broken).toEqual([])
})

test('the imports of a file are seen', () => {
  expect(importsOf('tests/architecture/arrows.test.ts')).toEqual([
    'tests/architecture/arrows.ts',
    'tests/architecture/sources.ts',
  ])
})
