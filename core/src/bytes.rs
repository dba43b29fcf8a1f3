//! Bytes that many may hold and nobody changes: payloads and heartbeat details.
//!
//! It knows how to be shared cheaply, so that a lease does not copy its payload, and how to be written as
//! text. It deliberately knows no limit: whoever takes bytes in checks them.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

/// Shared bytes; none at all costs nothing.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Bytes(Option<Arc<[u8]>>);

impl Bytes {
    /// No bytes.
    pub const NONE: Bytes = Bytes(None);
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Bytes((!bytes.is_empty()).then(|| Arc::from(bytes)))
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes.as_slice())
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Self {
        Bytes::from(text.as_bytes())
    }
}

/// As text where it is text, with escapes where not.
impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escape_ascii())
    }
}

/// Bytes as base64 text, the standard alphabet with padding.
pub(crate) mod base64_text {
    use super::Bytes;
    use alloc::string::String;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(bytes: &Bytes, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(&**bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(from)?;
        STANDARD
            .decode(text)
            .map(Bytes::from)
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn bytes_are_shared_and_none_cost_nothing() {
        let bytes = Bytes::from("work");
        assert_eq!((&*bytes, &bytes.clone()), (&b"work"[..], &bytes));
        assert_eq!((Bytes::from(""), Bytes::default().len()), (Bytes::NONE, 0));
        assert_eq!(size_of::<Bytes>(), 16);
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_escaped() {
        assert_eq!(
            format!("{:?}", Bytes::from(&[0x61, 0x22, 0x00, 0xff][..])),
            r#""a\"\x00\xff""#
        );
    }
}
