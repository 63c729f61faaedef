/**
 * docker-compose.yml as its reader understands it: the environment and the health check of each
 * service, with the variables of an `.env` file put in.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const FILE = join(import.meta.dirname, '..', '..', 'docker-compose.yml')

export interface ComposeService {
  environment: Record<string, string>
  /** Program and arguments; empty when it has none. */
  healthCheck: string[]
  /** `volume:directory`. */
  volumes: string[]
}

interface Written {
  environment?: Record<string, string>
  healthcheck?: { test: string[] }
  volumes?: string[]
}

/** @throws Error naming a variable that must be given */
export function readCompose(given: Record<string, string>): Map<string, ComposeService> {
  const { services } = parse(readFileSync(FILE, 'utf8'), { merge: true }) as {
    services: Record<string, Written>
  }
  return new Map(
    Object.entries(services).map(([name, { environment = {}, healthcheck, volumes = [] }]) => [
      name,
      {
        environment: Object.fromEntries(
          Object.entries(environment).map(([key, value]) => [key, filledIn(value, given)]),
        ),
        healthCheck: healthcheck?.test.slice(1) ?? [],
        volumes,
      },
    ]),
  )
}

/** `${NAME:?}` must be given, `${NAME:-other}` has a default. */
function filledIn(text: string, given: Record<string, string>): string {
  return text.replace(
    /\$\{(\w+):([?-])([^}]*)\}/g,
    (_, name: string, kind: string, other: string) => {
      const value = given[name] ?? ''
      if (value === '' && kind === '?') throw new Error(`${name} must be given`)
      return value === '' ? other : value
    },
  )
}
