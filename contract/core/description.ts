import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const getDescription = endpoint({
  method: 'GET',
  path: '/openapi.json',
  may: 'signed-in',
  byKey: 'always',
  summary: 'The description of all calls, as OpenAPI 3.1',
  answer: z.any(),
})
