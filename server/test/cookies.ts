/** The value of a cookie that an answer sets; '' where it sets none of this name. */
export const cookieIn = (headers: Headers, name: string): string =>
  new RegExp(`${name}=([^;]+)`).exec(headers.getSetCookie().join('\n'))?.[1] ?? ''
