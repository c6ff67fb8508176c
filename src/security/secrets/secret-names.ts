/** Names of files that hold keys, as wildcards. Searches and read-only git commands exclude their content. */
export const SECRET_NAMES: readonly string[] =
  '.env .env.* .envrc .netrc .npmrc .pypirc .git-credentials .pgpass id_rsa id_dsa id_ecdsa id_ed25519 *.pem *.key *.p12 *.pfx *.jks *.kdbx credentials credentials.json secret.* secrets.*'.split(
    ' ',
  );

/** Folders that they exclude entirely. */
export const SECRET_FOLDERS: readonly string[] = '.git .rondo .ssh .aws .gnupg .kube .docker .azure'.split(' ');
