import { expect, test } from 'vitest'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { ROUTE_ROLES } from '#tests/support/route-roles.ts'
import { sourceFiles } from './sources.ts'

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value
}

/** Every call a contract declares, and the address at which its list can be downloaded as a file. */
async function declaredRoutes(): Promise<Set<string>> {
  const contracts = sourceFiles().filter((path) => /^shared\/.*-api\.ts$/.test(path))
  const modules = await Promise.all(
    contracts.map((path) => import(`../../${path}`) as Promise<Record<string, unknown>>),
  )
  const endpoints = modules.flatMap((module) => Object.values(module).filter(isEndpoint))
  return new Set(
    endpoints.flatMap(({ method, path, file }) => [
      `${method} ${path}`,
      ...(file === undefined ? [] : [`GET ${file.path}`]),
    ]),
  )
}

test('every declared call states which roles may use it, and every line is a call', async () => {
  expect([...(await declaredRoutes())].toSorted()).toEqual(Object.keys(ROUTE_ROLES).toSorted())
})
