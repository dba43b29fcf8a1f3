//! The frame: one batch of records, written at once, that can tell where it belongs.
//!
//! It knows bytes: a header with a checksum of its own, so that a damaged length is never believed, and a
//! payload with another. The header names the batch's place, its segment and the batch before it, so that a
//! whole batch in the wrong place is found too. It deliberately knows no file and no record.

use crc32c::crc32c;
use std::fmt;
use std::ops::Range;

/// How many bytes a header has.
pub const HEADER_BYTES: usize = 56;
/// The largest payload of one batch: 16 MiB.
pub const PAYLOAD_BYTES_MAX: usize = 16 * 1024 * 1024;

/// What every header begins with.
const MAGIC: [u8; 4] = *b"FPB1";

/// Where each field of a header stands. Numbers are little-endian.
mod field {
    use std::ops::Range;

    pub(super) const MAGIC: Range<usize> = 0..4;
    pub(super) const PAYLOAD_BYTES: Range<usize> = 4..8;
    pub(super) const OFFSET: Range<usize> = 8..16;
    pub(super) const SEGMENT: Range<usize> = 16..24;
    pub(super) const FIRST: Range<usize> = 24..32;
    pub(super) const DURABLE: Range<usize> = 32..40;
    pub(super) const RECORDS: Range<usize> = 40..44;
    pub(super) const BEFORE: Range<usize> = 44..48;
    pub(super) const PAYLOAD_CRC: Range<usize> = 48..52;
    pub(super) const HEADER_CRC: Range<usize> = 52..56;
}

/// Where a batch belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The segment's number.
    pub segment: u64,
    /// The byte of the segment at which the batch begins.
    pub offset: u64,
    /// The log's number of its first record: the first record of all is 0.
    pub first: u64,
    /// The payload's checksum of the batch before it.
    pub before: u32,
}

/// A batch that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch<'b> {
    /// How many records it holds.
    pub records: u32,
    /// So many records of the log were known to be durable when it was written.
    pub durable: u64,
    /// The records' bytes.
    pub payload: &'b [u8],
    /// The payload's checksum, which the next batch names.
    pub crc: u32,
}

/// What stands where a batch should, if it is no batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBatch {
    /// Nothing, or zeros to the end: the log ends here.
    End,
    /// The bytes end within a batch that began here.
    Torn {
        /// How many bytes the batch needs, as far as can be told.
        needs: usize,
        /// How many there are.
        has: usize,
    },
    /// Something else than what was written here.
    Wrong {
        /// Which part of it.
        what: &'static str,
        /// What belongs there.
        expected: u64,
        /// What is there.
        found: u64,
    },
}

impl fmt::Display for NoBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoBatch::End => write!(f, "the log ends here"),
            NoBatch::Torn { needs, has } => {
                write!(f, "a batch of {needs} bytes is torn: {has} bytes are there")
            }
            NoBatch::Wrong {
                what,
                expected,
                found,
            } => write!(f, "{what}: expected {expected}, found {found}"),
        }
    }
}

impl std::error::Error for NoBatch {}

/// Appends a batch to `out`: its header, then its payload. Gives the payload's checksum.
///
/// A payload above [`PAYLOAD_BYTES_MAX`] is refused, and nothing is appended.
pub fn write(
    out: &mut Vec<u8>,
    place: Place,
    durable: u64,
    records: u32,
    payload: &[u8],
) -> Result<u32, TooLarge> {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    if payload.len() > PAYLOAD_BYTES_MAX {
        return Err(TooLarge {
            bytes: payload.len(),
        });
    }
    let crc = crc32c(payload);
    let mut header = [0; HEADER_BYTES];
    header[field::MAGIC].copy_from_slice(&MAGIC);
    header[field::PAYLOAD_BYTES].copy_from_slice(&length.to_le_bytes());
    header[field::OFFSET].copy_from_slice(&place.offset.to_le_bytes());
    header[field::SEGMENT].copy_from_slice(&place.segment.to_le_bytes());
    header[field::FIRST].copy_from_slice(&place.first.to_le_bytes());
    header[field::DURABLE].copy_from_slice(&durable.to_le_bytes());
    header[field::RECORDS].copy_from_slice(&records.to_le_bytes());
    header[field::BEFORE].copy_from_slice(&place.before.to_le_bytes());
    header[field::PAYLOAD_CRC].copy_from_slice(&crc.to_le_bytes());
    let header_crc = crc32c(&header[..field::HEADER_CRC.start]);
    header[field::HEADER_CRC].copy_from_slice(&header_crc.to_le_bytes());
    out.extend_from_slice(&header);
    out.extend_from_slice(payload);
    Ok(crc)
}

/// Reads the batch that belongs at this place from the bytes that begin there. Nothing is believed before
/// its checksum was compared, so a damaged length costs nothing.
pub fn read(bytes: &[u8], place: Place) -> Result<Batch<'_>, NoBatch> {
    if bytes.iter().all(|byte| *byte == 0) {
        return Err(NoBatch::End);
    }
    let Some(header) = bytes.get(..HEADER_BYTES) else {
        return Err(NoBatch::Torn {
            needs: HEADER_BYTES,
            has: bytes.len(),
        });
    };
    let found_crc = u64::from(crc32c(&header[..field::HEADER_CRC.start]));
    must_be(
        "the header's checksum",
        number(header, field::HEADER_CRC),
        found_crc,
    )?;
    must_be(
        "the batch's mark",
        u32::from_le_bytes(MAGIC).into(),
        number(header, field::MAGIC),
    )?;
    must_be(
        "the batch's segment",
        place.segment,
        number(header, field::SEGMENT),
    )?;
    must_be(
        "the batch's own offset",
        place.offset,
        number(header, field::OFFSET),
    )?;
    must_be(
        "the batch's first record",
        place.first,
        number(header, field::FIRST),
    )?;
    must_be(
        "the checksum of the batch before",
        place.before.into(),
        number(header, field::BEFORE),
    )?;
    let length = number(header, field::PAYLOAD_BYTES) as usize;
    let Some(payload) = bytes.get(HEADER_BYTES..HEADER_BYTES + length) else {
        return Err(NoBatch::Torn {
            needs: HEADER_BYTES + length,
            has: bytes.len(),
        });
    };
    let crc = crc32c(payload);
    must_be(
        "the payload's checksum",
        number(header, field::PAYLOAD_CRC),
        crc.into(),
    )?;
    Ok(Batch {
        records: number(header, field::RECORDS) as u32,
        durable: number(header, field::DURABLE),
        payload,
        crc,
    })
}

impl Batch<'_> {
    /// How many bytes it takes, its header included.
    pub fn bytes(&self) -> usize {
        HEADER_BYTES + self.payload.len()
    }
}

/// A field's number; it has at most eight bytes.
fn number(header: &[u8], at: Range<usize>) -> u64 {
    header[at]
        .iter()
        .rev()
        .fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

fn must_be(what: &'static str, expected: u64, found: u64) -> Result<(), NoBatch> {
    if expected == found {
        Ok(())
    } else {
        Err(NoBatch::Wrong {
            what,
            expected,
            found,
        })
    }
}

/// A batch's payload is larger than one may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many bytes it has.
    pub bytes: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a batch has at most {PAYLOAD_BYTES_MAX} bytes, this one has {}: append fewer records at once",
            self.bytes
        )
    }
}

impl std::error::Error for TooLarge {}
