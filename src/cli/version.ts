/** The version of the package. It stands here, and not only in `package.json`, so that `lena --version` reads no file. */
export const version = '0.1.0'
