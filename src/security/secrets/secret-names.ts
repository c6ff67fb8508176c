/** Names of files in which keys are kept, as wildcards: searches and looks leave their content out. */
export const SECRET_NAMES: readonly string[] =
  '.env .env.* .envrc .netrc .npmrc .pypirc .git-credentials .pgpass id_rsa id_dsa id_ecdsa id_ed25519 *.pem *.key *.p12 *.pfx *.jks *.kdbx credentials credentials.json secret.* secrets.*'.split(
    ' ',
  );

/** Folders whose content they leave out altogether. */
export const SECRET_FOLDERS: readonly string[] = '.git .rondo .ssh .aws .gnupg .kube .docker .azure'.split(' ');
